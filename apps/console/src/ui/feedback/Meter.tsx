import type { ReactNode } from 'react';

type Props = {
  label: string;
  /** Replaces the label's plain text, with the same meaning. */
  shownLabel?: ReactNode;
  /** The amount of `max`; the bar is full if it is higher. */
  value: number;
  max: number;
  /** The value in words: '12.4 of 100 GB'. */
  text: string;
  tone?: 'accent' | 'warning' | 'error';
  note?: ReactNode;
};

const fill = { accent: 'bg-accent', warning: 'bg-warning-dot', error: 'bg-error-dot' } as const;

/** Usage against a limit, drawn along a ruler. */
export function Meter({ label, shownLabel, value, max, text, tone = 'accent', note }: Props) {
  const part = max > 0 ? Math.min(1, Math.max(0, value / max)) : 0;
  return (
    <div>
      <div className="mb-1 flex flex-wrap items-baseline justify-between gap-x-3 text-sm">
        {shownLabel ?? <span className="font-semibold">{label}</span>}
        <span className="text-muted">{text}</span>
      </div>
      <div role="meter" aria-label={label} aria-valuemin={0} aria-valuemax={max} aria-valuenow={Math.min(value, max)} aria-valuetext={text}>
        <div className="h-1.5 bg-neutral-bg forced-colors:outline">
          <div className={`h-full ${fill[tone]} forced-colors:bg-[CanvasText]`} style={{ width: `${part * 100}%` }} />
        </div>
        <div className="ruler" />
      </div>
      {note ? <p className="mt-1 text-sm text-muted">{note}</p> : null}
    </div>
  );
}
