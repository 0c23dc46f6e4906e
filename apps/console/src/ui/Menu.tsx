import type { LucideIcon } from 'lucide-react';
import { type ComponentType, type ReactNode, useId, useRef, useState } from 'react';
import { buttonLook } from './Button.tsx';
import type { MenuPopupProps } from './MenuPopup.tsx';

export type MenuItem =
  | { label: string; icon?: LucideIcon; danger?: boolean; disabled?: boolean; onSelect: () => void; href?: never }
  | { label: string; icon?: LucideIcon; href: string; newTab?: boolean; danger?: never; disabled?: never; onSelect?: never };

type Props = {
  /** Names the button, and the menu: 'Actions for invoice-triage'. */
  label: string;
  /** What the button shows: an icon, or a word with one. */
  children: ReactNode;
  /** Groups of items; a hairline stands between two groups. */
  groups: readonly (readonly MenuItem[])[];
  look?: 'icon' | 'secondary';
};

const iconLook =
  'inline-flex size-8 shrink-0 items-center justify-center rounded-control text-muted transition-colors hover:bg-neutral-bg hover:text-text aria-expanded:bg-neutral-bg aria-expanded:text-text pointer-coarse:size-11';

/** A plain button whose popup is fetched when a pointer or the focus comes near, so that a page does not pay for it up front. */
export function Menu({ label, children, groups, look = 'icon' }: Props) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState(false);
  const [Popup, setPopup] = useState<ComponentType<MenuPopupProps>>();

  const load = () => {
    if (!Popup) void import('./MenuPopup.tsx').then((module) => setPopup(() => module.MenuPopup), console.error);
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={open && Popup ? id : undefined}
        title={look === 'icon' ? label : undefined}
        className={look === 'icon' ? iconLook : buttonLook({ variant: 'secondary' })}
        onPointerEnter={load}
        onFocus={load}
        onClick={() => {
          load();
          setOpen(true);
        }}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown') return;
          event.preventDefault();
          setOpen(true);
        }}
      >
        {children}
      </button>
      {Popup ? <Popup id={id} label={label} anchor={button} open={open} onOpenChange={setOpen} groups={groups} /> : null}
    </>
  );
}
