import { Tooltip } from '../../ui/controls/Tooltip.tsx';
import { type Source, sources } from './sources.ts';

/** The name of a figure. Its source is shown on hover and on focus, and read by screen readers. */
export const Sourced = ({ label, source }: { label: string; source: Source }) => (
  <Tooltip text={sources[source]}>
    <button
      type="button"
      className="min-h-6 rounded-control text-left text-sm font-semibold text-muted underline decoration-border-strong decoration-dotted underline-offset-4"
    >
      {label}
    </button>
  </Tooltip>
);
