import type { ComponentProps, ReactNode } from 'react';
import { Tooltip } from './Tooltip.tsx';

type Props = Omit<ComponentProps<'button'>, 'className' | 'style' | 'aria-label' | 'children'> & {
  /** The accessible name and the tooltip, which says what the button does. */
  label: string;
  icon: ReactNode;
};

/** An icon-only button, for toolbars: everywhere else an icon has a label beside it. */
export function IconButton({ label, icon, type = 'button', ...rest }: Props) {
  return (
    <Tooltip text={label} naming>
      <button
        {...rest}
        type={type}
        aria-label={label}
        className="inline-flex size-8 shrink-0 items-center justify-center rounded-control text-muted transition-colors hover:bg-neutral-bg hover:text-text disabled:opacity-55 pointer-coarse:size-11"
      >
        {icon}
      </button>
    </Tooltip>
  );
}
