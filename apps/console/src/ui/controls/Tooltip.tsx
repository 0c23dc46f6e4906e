import { cloneElement, type FocusEvent, type ReactElement, type Ref, useEffect, useId, useRef, useState } from 'react';

type Trigger = ReactElement<{ 'aria-describedby'?: string | undefined; ref?: Ref<HTMLElement> }>;

type Props = {
  text: string;
  /** The trigger's accessible name already contains `text`: show the tooltip, but hide it from screen readers. */
  naming?: boolean;
  children: Trigger;
};

/** A text beside its trigger on hover and on keyboard focus. Escape closes it, and the pointer may rest on it. */
export function Tooltip({ text, naming = false, children }: Props) {
  const id = useId();
  const wrap = useRef<HTMLSpanElement>(null);
  const tip = useRef<HTMLSpanElement>(null);
  const [open, setOpen] = useState(false);

  useEffect(() => {
    const box = tip.current;
    const trigger = wrap.current?.firstElementChild;
    if (!open || !box || !trigger) return undefined;
    box.showPopover();
    place(box, trigger.getBoundingClientRect());
    const close = (event: Event) => {
      if (!(event instanceof KeyboardEvent) || event.key === 'Escape') setOpen(false);
    };
    document.addEventListener('keydown', close);
    document.addEventListener('scroll', close, { capture: true, passive: true });
    return () => {
      document.removeEventListener('keydown', close);
      document.removeEventListener('scroll', close, { capture: true });
    };
  }, [open]);

  // Touch cannot hover: a description that is more than the name is also shown on a tap.
  const onFocus = (event: FocusEvent) => setOpen(!naming || event.target.matches(':focus-visible'));
  return (
    <span
      ref={wrap}
      role="presentation"
      className="contents"
      onPointerEnter={(event) => event.pointerType === 'mouse' && setOpen(true)}
      onPointerLeave={() => setOpen(false)}
      onPointerDown={() => setOpen(false)}
      onFocus={onFocus}
      onBlur={() => setOpen(false)}
    >
      {naming ? children : cloneElement(children, { 'aria-describedby': id })}
      {/* A description is always rendered, so that screen readers can read it without hovering. */}
      {(open || !naming) && (
        <span
          ref={tip}
          id={id}
          role="tooltip"
          popover="manual"
          aria-hidden={naming || undefined}
          className="fixed m-0 max-w-80 rounded-control border border-border-strong bg-raised px-2 py-1 text-xs font-normal text-text normal-case not-open:hidden"
        >
          {text}
        </span>
      )}
    </span>
  );
}

/** Places the tooltip below the trigger, or above it if there is no room; always completely within the window. */
function place(box: HTMLElement, at: DOMRect) {
  const gap = 6;
  const { width, height } = box.getBoundingClientRect();
  const below = at.bottom + gap;
  const top = below + height > window.innerHeight ? at.top - gap - height : below;
  const left = Math.min(Math.max(gap, at.left + at.width / 2 - width / 2), window.innerWidth - width - gap);
  box.style.setProperty('inset', `${top}px auto auto ${left}px`);
}
