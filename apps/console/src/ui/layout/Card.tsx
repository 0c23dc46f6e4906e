import { type ReactNode, useId } from 'react';

type Props = {
  title?: string;
  /** Beside the title: a badge, a count. */
  aside?: ReactNode;
  /** At the right end of the head. */
  actions?: ReactNode;
  /** Only the title is shown, until it is pressed. */
  isFolded?: boolean;
  /** Called when a folded card is opened. */
  onOpen?: () => void;
  children: ReactNode;
};

export function Card({ title, aside, actions, isFolded = false, onOpen, children }: Props) {
  const id = useId();
  const head = actions ? <div className="ml-auto flex items-center gap-2 text-sm text-muted">{actions}</div> : null;
  const heading = (
    <h2 id={id} className="text-base font-bold">
      {title}
    </h2>
  );
  return (
    <section aria-labelledby={title ? id : undefined} className="min-w-0 rounded-box border border-border bg-surface p-3.5">
      {isFolded ? (
        <details onToggle={(event) => (event.currentTarget.open ? onOpen?.() : undefined)}>
          <summary className="[&>h2]:inline">{heading}</summary>
          <div className="mt-2">
            {head ? <div className="mb-2 flex">{head}</div> : null}
            {children}
          </div>
        </details>
      ) : (
        <>
          {title ? (
            <div className="mb-2 flex min-h-6 flex-wrap items-center gap-x-2.5 gap-y-1">
              {heading}
              {aside}
              {head}
            </div>
          ) : null}
          {children}
        </>
      )}
    </section>
  );
}
