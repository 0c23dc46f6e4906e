import type { ReactNode } from 'react';

/** Names and values, one per row; with `sum`, the last row is the total. */
export const Facts = ({ of, sum = false }: { of: readonly (readonly [name: string, value: ReactNode])[]; sum?: boolean }) => (
  <dl>
    {of.map(([name, value]) => (
      <div
        key={name}
        className={`flex justify-between gap-4 border-t border-border py-1.5 first:border-t-0 ${sum ? 'last:font-semibold' : ''}`}
      >
        <dt>{name}</dt>
        <dd className="text-right">{value}</dd>
      </div>
    ))}
  </dl>
);
