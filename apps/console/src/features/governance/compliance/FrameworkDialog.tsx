import type { ComplianceDetail, FrameworkId } from '@paddock/contract';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { failureText } from '../../../api/failure.ts';
import { Loaded } from '../../../api/Loaded.tsx';
import { isDemo, useSession } from '../../../api/session.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { ErrorState } from '../../../ui/feedback/ErrorState.tsx';
import { FormError } from '../../../ui/feedback/FormError.tsx';
import { Meter } from '../../../ui/feedback/Meter.tsx';
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx';
import { Dialog } from '../../../ui/overlays/Dialog.tsx';
import type { Go } from '../view.ts';
import { ControlTable } from './ControlTable.tsx';
import { Checked } from './FrameworkTable.tsx';
import { frameworkQuery, useSaveEvidence } from './queries.ts';
import { StateBadge } from './StateBadge.tsx';
import { useCheck } from './use-check.ts';
import { Violations } from './Violations.tsx';
import { descriptions, frameworkLook, messages, percentText, readiness } from './words.ts';

/** A framework: its status, findings and controls, and a button that checks it again. */
export function FrameworkDialog({ id, go }: { id: string; go: Go }) {
  const query = useQuery(frameworkQuery(id));
  const { data } = query;
  const check = useCheck(id, data?.run ?? null);
  const save = useSaveEvidence(id);
  // The demo has no evidence for an auditor.
  const isInDemo = isDemo(useSession()?.token);
  const close = () => go({ framework: undefined });
  const failed = (error: unknown, sentence: string) =>
    error ? `${sentence}. ${failureText(error, 'Check the connection to the server.') ?? ''}` : undefined;
  return (
    <Dialog
      open
      size="large"
      onClose={close}
      title={data?.name ?? 'Compliance details'}
      description={Object.hasOwn(descriptions, id) ? `${descriptions[id as FrameworkId]} ${readiness}` : undefined}
      footer={
        <>
          {data ? (
            <>
              {isInDemo ? null : (
                <Button busy={save.isPending} onClick={() => save.mutate()}>
                  Download Evidence
                </Button>
              )}
              <Button busy={check.starting || check.running} onClick={check.start}>
                Run Check Now
              </Button>
            </>
          ) : null}
          <Button variant="primary" onClick={close}>
            Close
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <Loaded query={query} failed={(error) => failed(error, messages.details) ?? ''} />
        <FormError>{failed(check.error, messages.startFailed)}</FormError>
        <FormError>{failed(save.error, messages.evidenceFailed)}</FormError>
        <Progress check={check} />
        {query.isPending ? <Skeleton rows={8} /> : null}
        {data ? (
          <>
            <Facts of={data} />
            <Violations of={data} onControl={(control) => go({ control }, { replace: false })} />
            <ControlTable controls={data.controls} onView={(control) => go({ control }, { replace: false })} />
          </>
        ) : null}
      </div>
    </Dialog>
  );
}

function Progress({ check: { run, running, lost } }: { check: ReturnType<typeof useCheck> }) {
  if (lost)
    return (
      <ErrorState
        message="The progress of the check could not be loaded. The check continues."
        onRetry={() => void lost.refetch()}
        busy={lost.isFetching}
      />
    );
  if (run?.status === 'failed')
    return <FormError>The check ended before all controls were checked. Controls that it did not reach keep their last result.</FormError>;
  if (!running || !run) return null;
  const { controls_done, controls_total } = run;
  return (
    <div role="status">
      <Meter
        label="Compliance check"
        value={controls_done}
        max={controls_total}
        text={`${controls_done} of ${controls_total} controls checked`}
      />
    </div>
  );
}

function Facts({ of: detail }: { of: ComplianceDetail }) {
  const facts: [term: string, value: ReactNode][] = [
    ['Overall Status', <StateBadge key="status" look={frameworkLook(detail.status)} />],
    ['Last Checked', <Checked key="at" at={detail.last_checked} />],
    ['Violations', detail.violations_total.toLocaleString('en')],
    ['Checks Passed', detail.checks_passed],
    ['Checks Failed', detail.checks_failed],
    ['Not Verified', detail.checks_unverified],
    ['Not Applicable', detail.checks_not_applicable],
    ['Coverage', percentText(detail.coverage)],
  ];
  return (
    <dl className="grid grid-cols-2 gap-2.5 sm:grid-cols-4">
      {facts.map(([term, value]) => (
        <div key={term} className="min-w-0 border border-border px-3 py-2 first:col-span-2">
          <dt className="text-sm text-muted">{term}</dt>
          <dd className="flex min-h-7 items-center font-bold">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
