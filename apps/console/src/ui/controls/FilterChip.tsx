import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { Icon } from '../theme/Icon.tsx';

type Props = {
  children: ReactNode;
  /** The filter is active. */
  active?: boolean;
  onClick?: () => void;
  /** Clears the filter; if given, the cross is shown. */
  onClear?: () => void;
  /** Accessible name of the cross: 'Clear status'. */
  clearLabel?: string;
};

const look = (active: boolean) =>
  `inline-flex min-h-6 items-center rounded-control border text-sm pointer-coarse:min-h-11 ${active ? 'border-accent bg-accent-soft text-text' : 'border-border-strong bg-surface text-muted hover:text-text'}`;

export function FilterChip({ children, active = false, onClick, onClear, clearLabel = 'Clear this filter' }: Props) {
  return (
    <span className={look(active)}>
      <button type="button" aria-pressed={active} onClick={onClick} className="min-h-6 rounded-control px-2 pointer-coarse:min-h-11">
        {children}
      </button>
      {active && onClear ? (
        <button
          type="button"
          aria-label={clearLabel}
          onClick={onClear}
          className="-ml-1 inline-flex size-6 items-center justify-center rounded-control pointer-coarse:size-11"
        >
          <Icon of={X} />
        </button>
      ) : null}
    </span>
  );
}
