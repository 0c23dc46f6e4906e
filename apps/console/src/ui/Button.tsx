import { cva, type VariantProps } from 'class-variance-authority';
import type { ComponentProps, ReactNode } from 'react';
import { Spinner } from './Spinner.tsx';

/** The look of a button; `ButtonAnchor` wears it too, so that a link that acts like one looks like one. */
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
    /** Work is under way: shows a spinner, keeps the width and ignores further presses while staying focusable. */
    busy?: boolean | undefined;
    icon?: ReactNode;
  };

export function Button({ variant, wide, busy = false, icon, children, onClick, type = 'button', ...rest }: Props) {
  return (
    <button
      {...rest}
      type={busy ? 'button' : type}
      className={buttonLook({ variant, wide })}
      aria-disabled={busy || undefined}
      aria-busy={busy || undefined}
      onClick={busy ? undefined : onClick}
    >
      {busy ? <Spinner /> : icon}
      {children}
    </button>
  );
}
