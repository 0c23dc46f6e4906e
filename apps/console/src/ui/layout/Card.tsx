import { type ReactNode, useId } from 'react';

type Props = {
  title?: string;
  /** Beside the title: a badge, a count. */
  aside?: ReactNode;
  /** At the right end of the head. */
  actions?: ReactNode;
  children: ReactNode;
};

export function Card({ title, aside, actions, children }: Props) {
  const id = useId();
  return (
    <section aria-labelledby={title ? id : undefined} className="min-w-0 rounded-box border border-border bg-surface p-3.5">
      {title ? (
        <div className="mb-2 flex min-h-6 flex-wrap items-center gap-x-2.5 gap-y-1">
          <h2 id={id} className="text-base font-bold">
            {title}
          </h2>
          {aside}
          {actions ? <div className="ml-auto flex items-center gap-2 text-sm text-muted">{actions}</div> : null}
        </div>
      ) : null}
      {children}
    </section>
  );
}
