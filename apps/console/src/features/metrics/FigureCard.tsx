import type { ReactNode } from 'react';
import { Sourced } from './Sourced.tsx';
import type { Source } from './sources.ts';

interface Props {
  label: string;
  source: Source;
  /** Formatted as in the spec; '–' without measurements. */
  figure: string;
  /** The components of the figure. */
  parts?: readonly [term: string, value: string][];
  children?: ReactNode;
}

/** A figure, its source, and its components. */
export function FigureCard({ label, source, figure, parts = [], children }: Props) {
  return (
    <section aria-label={label} className="min-w-0 rounded-box border border-border bg-surface px-3.5 pt-2.5 pb-3">
      <Sourced label={label} source={source} />
      <p className="pb-1 text-figure font-bold">{figure}</p>
      <Parts of={parts} />
      {children}
    </section>
  );
}

export function Parts({ of }: { of: readonly [term: string, value: string][] }) {
  if (of.length === 0) return null;
  return (
    <dl className="flex flex-wrap gap-x-4 gap-y-0.5 text-sm lg:block">
      {of.map(([term, value]) => (
        <div key={term} className="flex gap-1.5 lg:justify-between">
          <dt className="text-muted">{term}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
