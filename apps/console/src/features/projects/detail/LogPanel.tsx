import type { Deployment } from '@paddock/contract';
import { lazy, Suspense, useState } from 'react';
import { PageLink } from '../../../navigation/links.tsx';
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx';
import { logLink } from '../../deployments/log-link.ts';
import type { LogView } from '../../logs/use-log-view.ts';

const LogViewer = lazy(() => import('../../logs/LogViewer.tsx').then((module) => ({ default: module.LogViewer })));

/** The newest lines of a deployment's log. Searching it is for the deployment's own page. */
export function LogPanel({ deployment: { id, environment, is_current } }: { deployment: Deployment }) {
  const [view, setView] = useState<LogView>({ search: '', levels: [], line: null });
  return (
    <section aria-labelledby="log" className="mb-4 min-w-0">
      <div className="mb-2 flex flex-wrap items-baseline justify-between gap-x-3">
        <h2 id="log" className="text-lg font-bold">
          {is_current ? `Log of ${environment}` : 'Log of the latest deployment'}
        </h2>
        <PageLink to="/deployments/$id" params={{ id }} hash="log">
          Full log
        </PageLink>
      </div>
      <Suspense fallback={<Skeleton rows={5} />}>
        <LogViewer deploymentId={id} view={view} onView={setView} link={(line) => logLink(id, { ...view, line })} height="small" />
      </Suspense>
    </section>
  );
}
