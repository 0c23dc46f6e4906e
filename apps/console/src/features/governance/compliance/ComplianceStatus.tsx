import { useQuery } from '@tanstack/react-query';
import { Loaded } from '../../../api/Loaded.tsx';
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
  const query = useQuery(overviewQuery);
  return (
    <section aria-labelledby="compliance-status">
      <h2 id="compliance-status" className="mb-2.5 text-md font-bold">
        Compliance Status
      </h2>
      <Loaded query={query} failed={messages.overview} isSpaced skeleton={<Skeleton rows={6} label="Loading governance data..." />}>
        {(data) => (
          <>
            <FrameworkTable frameworks={data.frameworks} onView={(id) => go({ framework: id }, { replace: false })} />
            <ClaimCards claims={data.claims} onControl={(id) => go({ control: id }, { replace: false })} />
          </>
        )}
      </Loaded>
      <div className="mt-3">
        <ReviewCard go={go} />
      </div>
      {review && !control && !framework ? <ReviewDialog key={review} id={review} go={go} /> : null}
      {control ? <ControlDialog key={control} id={control} framework={framework} go={go} /> : null}
      {framework && !control ? <FrameworkDialog key={framework} id={framework} go={go} /> : null}
    </section>
  );
}
