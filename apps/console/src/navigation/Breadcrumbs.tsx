import type { ReactNode } from 'react';

interface Props {
  /** Links to the pages above this one, the outermost first. */
  above: readonly ReactNode[];
  /** The name of this page. */
  here: string;
}

/** The pages above a page. */
export function Breadcrumbs({ above, here }: Props) {
  return (
    <nav aria-label="Breadcrumbs" className="mb-1.5 text-sm text-muted">
      <ol className="flex flex-wrap items-center gap-x-2">
        {above.map((link, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the way to a page does not change its order
          <li key={index} className="flex min-w-0 items-center gap-x-2">
            <span className="min-w-0 break-words">{link}</span>
            <span aria-hidden="true">/</span>
          </li>
        ))}
        <li aria-current="page" className="min-w-0 break-words">
          {here}
        </li>
      </ol>
    </nav>
  );
}
