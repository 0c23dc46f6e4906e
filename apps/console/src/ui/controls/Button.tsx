import { cva, type VariantProps } from 'class-variance-authority';
import { type ComponentProps, type MouseEvent, type ReactNode, useRef } from 'react';
import { Spinner } from './Spinner.tsx';

/** The look of a button, also used by `ButtonAnchor`. */
export const buttonLook = cva(
  'relative inline-flex h-8 shrink-0 items-center justify-center gap-2 rounded-control border px-3 text-base font-semibold whitespace-nowrap no-underline select-none ' +
    'transition-colors disabled:cursor-not-allowed disabled:opacity-55 aria-disabled:cursor-not-allowed aria-disabled:opacity-55 pointer-coarse:h-11 pointer-coarse:px-4',
  {
    variants: {
      variant: {
        primary: 'border-accent bg-accent text-on-accent not-disabled:hover:border-accent-hover not-disabled:hover:bg-accent-hover',
        secondary: 'border-border-strong bg-surface text-text not-disabled:hover:bg-sunken',
        ghost: 'border-transparent bg-transparent text-text not-disabled:hover:bg-neutral-bg',
        quiet: 'border-border bg-transparent text-muted not-disabled:hover:bg-neutral-bg',
        danger: 'border-error-dot bg-surface text-error-fg not-disabled:hover:bg-error-bg',
      },
      wide: { true: 'w-full', false: '' },
    },
    defaultVariants: { variant: 'secondary', wide: false },
  },
);

type Props = Omit<ComponentProps<'button'>, 'className' | 'style'> &
  VariantProps<typeof buttonLook> & {
    /** Work is in progress: shows a spinner, keeps the width and ignores further presses, but stays focusable. */
    busy?: boolean | undefined;
    icon?: ReactNode;
  };

/** Two clicks of one button within this time are one press. */
const doubleMs = 600;

/** A button; a double click is one press. */
export function Button({ variant, wide, busy = false, icon, children, onClick, type = 'button', ...rest }: Props) {
  // If it can neither replace an icon nor use room at the sides, the spinner covers the label: the width must not change.
  const isOver = busy && !icon && !wide;
  const pressedAt = useRef(Number.NEGATIVE_INFINITY);
  const press = (event: MouseEvent<HTMLButtonElement>) => {
    // Quick taps on two buttons count as one and two, so the count alone does not prove a double click.
    const isSecond = event.detail > 1 && event.timeStamp - pressedAt.current < doubleMs;
    pressedAt.current = event.timeStamp;
    if (!isSecond && !busy) return onClick?.(event);
    // Neither the second click of a double click nor a click while busy may submit the form.
    event.preventDefault();
    return undefined;
  };
  return (
    <button
      {...rest}
      type={busy ? 'button' : type}
      className={buttonLook({ variant, wide })}
      aria-disabled={busy || undefined}
      aria-busy={busy || undefined}
      onClick={press}
    >
      {isOver ? (
        <>
          <span className="absolute inset-0 flex items-center justify-center">
            <Spinner />
          </span>
          <span className="opacity-0">{children}</span>
        </>
      ) : (
        <>
          {busy ? <Spinner /> : icon}
          {children}
        </>
      )}
    </button>
  );
}
