import type { DataSubjectRequest } from '@paddock/contract';
import { shownText } from '@paddock/contract/terminal-text';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Loaded } from '../../../../api/Loaded.tsx';
import { Button } from '../../../../ui/controls/Button.tsx';
import { saveFile } from '../../../../ui/controls/save-file.ts';
import { Banner } from '../../../../ui/feedback/Banner.tsx';
import { Skeleton } from '../../../../ui/feedback/Skeleton.tsx';
import { Dialog } from '../../../../ui/overlays/Dialog.tsx';
import { CodeSample } from '../../../../ui/text/CodeSample.tsx';
import { Timestamp } from '../../../../ui/text/Timestamp.tsx';
import { StateBadge } from '../../compliance/StateBadge.tsx';
import { JsonBlock } from '../../JsonBlock.tsx';
import type { Go } from '../../view.ts';
import { SubjectPlaces } from './SubjectPlaces.tsx';
import { isUnderWay, subjectQuery } from './subject-requests.ts';
import { kindWords, messages, outcomeText, requestLook } from './words.ts';

/** A request: its progress, what was found where, and the certificate of an erasure. */
export function SubjectDialog({ id, go, onClose }: { id: string; go: Go; onClose: () => void }) {
  const query = useQuery(subjectQuery(id));
  const { data } = query;
  return (
    <Dialog
      open
      size="large"
      onClose={onClose}
      title={data ? `${kindWords[data.kind]} request` : 'Request'}
      description={data?.reference ? shownText(data.reference, 200) : undefined}
      footer={
        <Button variant="primary" onClick={onClose}>
          Close
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        <Loaded query={query} failed={messages.one} skeleton={<Skeleton rows={6} />} />
        {data ? (
          <>
            <Facts of={data} />
            {data.status === 'failed' ? (
              <Banner tone="error">
                {data.error ?? 'The request failed.'} Make the request again: what was erased stays erased, and repeating it is safe. If it
                fails again, the operator can find the cause in the server’s log under {data.id}.
              </Banner>
            ) : null}
            {isUnderWay(data) ? <p role="status">The request continues if you close this window.</p> : null}
            {data.status === 'completed' ? <SubjectPlaces of={data} go={go} /> : null}
            {data.certificate === null ? null : <Certificate id={id} text={data.certificate} />}
          </>
        ) : null}
      </div>
    </Dialog>
  );
}

function Facts({ of: request }: { of: DataSubjectRequest }) {
  const facts: [term: string, value: ReactNode][] = [
    ['Status', <StateBadge key="status" look={requestLook(request)} />],
    ['Outcome', outcomeText(request)],
    ['Requested', <Timestamp key="asked" at={request.created_at} />],
    ['Due', <Timestamp key="due" at={request.due_at} />],
    ['Finished', request.finished_at === null ? '–' : <Timestamp key="finished" at={request.finished_at} />],
  ];
  return (
    <dl className="grid gap-x-6 gap-y-1 sm:grid-cols-2">
      {facts.map(([term, value]) => (
        <div key={term} className="grid grid-cols-[7rem_minmax(0,1fr)] items-baseline gap-x-3">
          <dt className="text-muted">{term}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The saved file is the signed line itself; the display is the same JSON, indented. */
function Certificate({ id, text }: { id: string; text: string }) {
  const name = `erasure-${id.slice(-8)}.json`;
  return (
    <section className="flex flex-col gap-2">
      <JsonBlock title="Certificate" value={parsed(text)} />
      <p className="max-w-text text-sm text-muted">It names the person only by a keyed hash and can be verified without this server:</p>
      <CodeSample code={`paddock audit verify-erasure ${name} --key KEY`} label="Verify the certificate" />
      <div>
        <Button onClick={() => saveFile(`${text}\n`, { name, type: 'application/json' })}>Download certificate</Button>
      </div>
    </section>
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
