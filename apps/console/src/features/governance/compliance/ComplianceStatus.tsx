import { useQuery } from '@tanstack/react-query';
import { failureText, requestId } from '../../../api/failure.ts';
import { ErrorState } from '../../../ui/feedback/ErrorState.tsx';
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx';
import { ReviewCard } from '../access-review/ReviewCard.tsx';
import { ReviewDialog } from '../access-review/ReviewDialog.tsx';
import type { Go, GovernanceView } from '../view.ts';
import { ClaimCards } from './ClaimCards.tsx';
import { ControlDialog } from './ControlDialog.tsx';
import { FrameworkDialog } from './FrameworkDialog.tsx';
import { FrameworkTable } from './FrameworkTable.tsx';
import { overviewQuery } from './queries.ts';
import { messages } from './words.ts';

/**
 * The frameworks with their findings, and the verified claims about privacy, access and security; a framework or a control opens as a
 * dialog.
 */
export function ComplianceStatus({ view: { framework, control, review }, go }: { view: GovernanceView; go: Go }) {
  const { data, error, isPending, isFetching, refetch } = useQuery(overviewQuery);
  return (
    <section aria-labelledby="compliance-status">
      <h2 id="compliance-status" className="mb-2.5 text-md font-bold">
        Compliance Status
      </h2>
      {error ? (
        <div className="mb-4">
          <ErrorState
            message={failureText(error, messages.overview) ?? ''}
            requestId={requestId(error)}
            onRetry={() => void refetch()}
            busy={isFetching}
          />
        </div>
      ) : null}
      {isPending ? <Skeleton rows={6} label="Loading governance data..." /> : null}
      {data ? (
        <>
          <FrameworkTable frameworks={data.frameworks} onView={(id) => go({ framework: id }, { replace: false })} />
          <ClaimCards claims={data.claims} onControl={(id) => go({ control: id }, { replace: false })} />
        </>
      ) : null}
      <div className="mt-3">
        <ReviewCard go={go} />
      </div>
      {review && !control && !framework ? <ReviewDialog key={review} id={review} go={go} /> : null}
      {control ? <ControlDialog key={control} id={control} framework={framework} go={go} /> : null}
      {framework && !control ? <FrameworkDialog key={framework} id={framework} go={go} /> : null}
    </section>
  );
}
