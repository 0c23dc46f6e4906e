import { Link, type LinkProps } from '@tanstack/react-router';

type Props = { label: string; count: number | undefined } & Pick<LinkProps, 'to' | 'search'>;

/** A number that links to its list. */
export function CountCard({ label, count, to, search }: Props) {
  return (
    <Link
      to={to}
      search={search}
      className="block min-w-0 rounded-box border border-border bg-surface px-3.5 pt-3 pb-2.5 text-text no-underline transition-colors hover:border-border-strong"
    >
      <span className="block text-sm font-semibold text-muted">{label}</span>
      <span className="block h-8 pb-1 text-figure font-bold">{count === undefined ? '' : count.toLocaleString('en')}</span>
    </Link>
  );
}
