import { type ReactNode, useEffect, useState } from 'react';

/** Hides its content for the first 300 ms, so that fast loads do not flicker, but reserves its space, so that nothing below it moves. */
export function DelayedLoading({ children, label = 'Loading' }: { children: ReactNode; label?: string }) {
  const [waited, setWaited] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setWaited(true), 300);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div role="status" aria-label={label}>
      <div className={waited ? undefined : 'invisible'}>{children}</div>
    </div>
  );
}

/** A grey bar in place of a line of text. */
const Bar = ({ width }: { width: string }) => <div className={`h-3.5 rounded-control bg-neutral-bg ${width}`} />;

const widths = ['w-3/4', 'w-1/2', 'w-2/3', 'w-5/12'] as const;

/** The outline of loading rows or cards, in their final layout. `label` is shown above them. */
export function Skeleton({ rows = 5, kind = 'rows', label }: { rows?: number; kind?: 'rows' | 'cards'; label?: string }) {
  const items = Array.from({ length: rows }, (_, index) => index);
  return (
    <DelayedLoading {...(label === undefined ? {} : { label })}>
      {label === undefined ? null : <p className="mb-2 text-muted">{label}</p>}
      {kind === 'rows' ? (
        <div className="border border-border bg-surface">
          {items.map((item) => (
            <div key={item} className="flex h-10 items-center border-t border-border px-3 first:border-t-0">
              <Bar width={widths[item % widths.length] ?? 'w-1/2'} />
            </div>
          ))}
        </div>
      ) : (
        <div className="grid grid-cols-1 gap-4 sm:grid-cols-2 lg:grid-cols-3">
          {items.map((item) => (
            <div key={item} className="flex h-28 flex-col gap-3 rounded-box border border-border bg-surface p-3.5">
              <Bar width="w-1/2" />
              <Bar width="w-3/4" />
            </div>
          ))}
        </div>
      )}
    </DelayedLoading>
  );
}
