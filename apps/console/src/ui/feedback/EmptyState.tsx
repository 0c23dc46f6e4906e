import type { ReactNode } from 'react';
import { Ruler } from '../layout/Ruler.tsx';
import { CodeSample } from '../text/CodeSample.tsx';

type Props = {
  /** One sentence on what appears here. */
  children: ReactNode;
  /** The one thing to do next. */
  action?: ReactNode;
  /** The same from a terminal. */
  command?: string;
};

/** Nothing yet. For 'nothing matches' give a sentence that says so and an action that clears the filters. */
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
      <Ruler faint />
    </div>
  );
}
