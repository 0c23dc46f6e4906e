import type { ComponentProps, ReactNode } from 'react';
import { Tooltip } from './Tooltip.tsx';

type Props = Omit<ComponentProps<'button'>, 'className' | 'style' | 'aria-label' | 'children'> & {
  /** Says what the button does; read out, and shown as the tooltip. */
  label: string;
  icon: ReactNode;
};

/** A button of one icon, for toolbars only: everywhere else an icon has a word beside it. */
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
