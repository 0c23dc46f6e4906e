import type { GovernanceSummary } from '@paddock/contract';
import { useQuery } from '@tanstack/react-query';
import { Loaded } from '../../../api/Loaded.tsx';
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx';
import { piiQuery } from '../queries.ts';
import type { Go } from '../view.ts';
import { messages } from '../words.ts';
import { FlowDiagram } from './FlowDiagram.tsx';
import { PiiCard } from './PiiCard.tsx';
import { ModelProviders } from './providers/ModelProviders.tsx';
import { RetentionCard } from './RetentionCard.tsx';
import { DataResidency } from './residency/DataResidency.tsx';
import { DataSubjects } from './subjects/DataSubjects.tsx';
import { TryText } from './TryText.tsx';

interface Props {
  summary: GovernanceSummary | undefined;
  go: Go;
}

/** The flow of data through Paddock, the PII found in it, and its retention. */
export function DataGovernance({ summary, go }: Props) {
  const pii = useQuery(piiQuery({}));
  return (
    <div className="flex flex-col gap-4">
      <Loaded query={pii} failed={messages.pii} skeleton={<Skeleton kind="cards" rows={3} />}>
        {(data) => <FlowDiagram stats={data} stored={summary?.total_actions} />}
      </Loaded>
      <div className="grid items-start gap-4 lg:grid-cols-2">
        {pii.data ? <PiiCard stats={pii.data} onDetails={() => go({ open: 'pii' }, { replace: false })} /> : null}
        {summary ? <RetentionCard retention={summary.retention} /> : null}
      </div>
      <DataSubjects go={go} />
      <ModelProviders />
      <DataResidency />
      <TryText />
    </div>
  );
}
