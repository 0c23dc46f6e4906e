import type { DeploymentDetail } from '@paddock/contract';
import { useLocation, useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useRef, useState } from 'react';
import { filled } from '../../../api/filled.ts';
import { LogViewer } from '../../logs/LogViewer.tsx';
import { parametersOf, parseLogView } from '../../logs/search.ts';
import type { LogView } from '../../logs/use-log-view.ts';
import { logLink } from '../log-link.ts';
import { TryCard } from '../try/TryCard.tsx';
import { AskedVariables } from './AskedVariables.tsx';
import { DeploymentFacts } from './DeploymentFacts.tsx';
import { NoPlanCard } from './NoPlanCard.tsx';
import { PlanCard } from './PlanCard.tsx';
import { StageSteps } from './StageSteps.tsx';
import { useScrolledTo } from './use-scrolled-to.ts';

const EndedFacts = lazy(() => import('./EndedFacts.tsx').then((module) => ({ default: module.EndedFacts })));
const OriginCards = lazy(() => import('./OriginCards.tsx').then((module) => ({ default: module.OriginCards })));

/** The progress of a deployment, its facts, and its log. */
export function Overview({ deployment }: { deployment: DeploymentDetail }) {
  const { id, status } = deployment;
  const navigate = useNavigate({ from: '/deployments/$id' });
  const search = useSearch({ from: '/shell/deployments/$id' });
  const hash = useLocation({ select: (location) => location.hash });
  const line = /^L([1-9]\d{0,8})$/.exec(hash)?.[1];
  const view = parseLogView({ ...search, ...(line ? { line: Number(line) } : {}) });
  const show = (next: LogView) =>
    void navigate({
      to: '.',
      search: filled({ ...parametersOf(next), with: search.with }),
      hash: next.line === null ? '' : `L${next.line}`,
      replace: true,
      resetScroll: false,
      hashScrollIntoView: false,
    });
  // The log comes first unless the agent serves: it is what one came for. This is decided once, so that nothing moves under the reader.
  const [isLogFirst] = useState(status !== 'active');
  const [isEnded] = useState(status === 'failed' || status === 'stopped' || status === 'completed');
  const logPlace = useRef<HTMLElement>(null);
  // A link to a log line scrolls to the log, which is at the bottom of the page.
  useScrolledTo(logPlace, hash === 'log');
  const log = (
    <section ref={logPlace} className="mb-4 min-w-0 scroll-mt-16">
      <h2 className="mb-2 text-lg font-bold">Log</h2>
      <LogViewer deploymentId={id} view={view} onView={show} link={(number) => logLink(id, { ...view, line: number })} />
    </section>
  );
  return (
    <>
      <div className="mb-4 rounded-box border border-border bg-surface p-3.5">
        <StageSteps deployment={deployment} />
      </div>
      {isLogFirst && log}
      {isEnded ? (
        <Suspense fallback={null}>
          <EndedFacts deployment={deployment} />
        </Suspense>
      ) : (
        <Facts deployment={deployment} />
      )}
      {!isLogFirst && log}
    </>
  );
}

function Facts({ deployment }: { deployment: DeploymentDetail }) {
  const { plan, deployment_url } = deployment;
  return (
    <div className="mb-4 grid gap-4 lg:grid-cols-2">
      <DeploymentFacts deployment={deployment} />
      {plan ? <PlanCard plan={plan} deployment={deployment} /> : <NoPlanCard deployment={deployment} />}
      <div className="flex min-w-0 flex-col gap-4 lg:col-span-2">
        <AskedVariables deployment={deployment} />
        {deployment_url ? <TryCard deployment={deployment} /> : null}
        <Suspense fallback={null}>
          <OriginCards deployment={deployment} isFolded={false} />
        </Suspense>
      </div>
    </div>
  );
}
