import type { DeploymentDetail } from '@paddock/contract';
import { lazy, Suspense, useState } from 'react';
import { Button } from '../../../ui/controls/Button.tsx';
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx';
import { Card } from '../../../ui/layout/Card.tsx';

const TryPanel = lazy(() => import('./TryPanel.tsx').then((module) => ({ default: module.TryPanel })));

/** Sends requests to an agent from the console. The code is loaded when the card is opened. */
export function TryCard({ deployment }: { deployment: DeploymentDetail }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Card title="Try it">
      {isOpen ? (
        <Suspense fallback={<Skeleton rows={6} />}>
          <TryPanel deployment={deployment} />
        </Suspense>
      ) : (
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
          <p className="min-w-0 text-muted">Send a request to the agent and watch the response arrive. It counts like any other request.</p>
          <Button onClick={() => setIsOpen(true)}>Write a request</Button>
        </div>
      )}
    </Card>
  );
}
