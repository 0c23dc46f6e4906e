import type { ReactNode } from 'react';

type Props = {
  title: string;
  /** The count: '12 in 3 projects'; null while loading, which reserves its space. */
  count?: ReactNode;
  actions?: ReactNode;
};

/** The head of every page: title, count, actions. */
export function PageHeader({ title, count, actions }: Props) {
  return (
    <header className="mb-4">
      <div className="flex min-h-8 flex-wrap items-center gap-x-2.5 gap-y-2">
        <div className="flex min-w-0 flex-wrap items-center gap-x-2.5 max-sm:flex-col max-sm:items-start">
          <h1 className="min-w-0 text-title font-bold wrap-anywhere">{title}</h1>
          {count === undefined ? null : <span className="min-h-5 text-base text-muted">{count}</span>}
        </div>
        {actions ? <div className="ml-auto flex flex-wrap items-center gap-2.5">{actions}</div> : null}
      </div>
    </header>
  );
}
