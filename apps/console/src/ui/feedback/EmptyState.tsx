import type { ReactNode } from 'react';
import { Ruler } from '../layout/Ruler.tsx';
import { CodeSample } from '../text/CodeSample.tsx';

type Props = {
  /** A sentence about what will appear here. */
  children: ReactNode;
  /** The next step. */
  action?: ReactNode;
  /** The same step from a terminal. */
  command?: string;
};

/** An empty list. If nothing matches the filters, give a sentence that says so and an action that clears them. */
export function EmptyState({ children, action, command }: Props) {
  return (
    <div className="border border-border bg-surface">
      <div className="flex flex-col items-center gap-4 px-4 pt-10 pb-8 text-center">
        <p className="max-w-text text-md text-text">{children}</p>
        {action}
        {command ? (
          <div className="w-full max-w-text text-left">
            <CodeSample code={command} label="The same from a terminal" />
          </div>
        ) : null}
      </div>
      <Ruler />
    </div>
  );
}
