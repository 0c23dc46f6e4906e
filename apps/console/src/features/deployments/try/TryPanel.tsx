import type { DeploymentDetail } from '@paddock/contract';
import { useState } from 'react';
import { failureText, fieldError, requestId } from '../../../api/failure.ts';
import { SegmentedControl } from '../../../ui/controls/SegmentedControl.tsx';
import { ErrorState } from '../../../ui/feedback/ErrorState.tsx';
import { lastRequest } from './last-request.ts';
import { firstDraft } from './presets.ts';
import { headersError, RequestForm } from './RequestForm.tsx';
import type { Draft } from './request-text.ts';
import { SpokenForm } from './SpokenForm.tsx';
import { isSpoken, readResponseText, spokenNames, type Turn } from './speak.ts';
import { TryAnswer } from './TryAnswer.tsx';
import { useTry } from './use-try.ts';

/** A request to the agent, by a form of its protocol or written by hand, and its streamed response. */
export function TryPanel({ deployment: { id, plan, protocols } }: { deployment: DeploymentDetail }) {
  const [last] = useState(() => lastRequest(id));
  const [draft, setDraft] = useState<Draft>(last ?? firstDraft(plan, protocols));
  const [values, setValues] = useState<Record<string, string>>({});
  const [turns, setTurns] = useState<readonly Turn[]>([]);
  const spoken = (protocols ?? []).filter(isSpoken);
  const [way, setWay] = useState<string>(last ? '' : (spoken[0]?.kind ?? ''));
  const trying = useTry(id);
  const { progress, error, isUnderWay } = trying;
  const protocol = spoken.find(({ kind }) => kind === way);
  const isAtField = !protocol && (fieldError(error, 'path') ?? headersError(error));
  const body = progress?.body?.kind === 'text' ? progress.body.text : '';
  const kind = progress?.kind;
  const reading = kind && readResponseText(kind, body);
  return (
    <>
      {spoken.length > 0 ? (
        <div className="mb-3">
          <SegmentedControl
            label="Request type"
            options={[...spoken.map((each) => ({ id: each.kind as string, label: spokenNames[each.kind] })), { id: '', label: 'Request' }]}
            value={protocol ? way : ''}
            onChange={setWay}
          />
        </div>
      ) : null}
      {protocol ? (
        <SpokenForm
          key={way}
          protocol={protocol}
          values={values}
          onValue={(key, value) => setValues((before) => ({ ...before, [key]: value }))}
          turns={turns}
          shown={reading}
          onTurns={setTurns}
          trying={trying}
        />
      ) : (
        <RequestForm id={id} protocols={protocols ?? []} draft={draft} onDraft={setDraft} trying={trying} />
      )}
      <div className="mt-3">
        {error && !isAtField ? (
          <ErrorState
            message={failureText(error, 'The server cannot be reached. The agent may still have received the request.') ?? ''}
            requestId={requestId(error)}
          />
        ) : null}
        {progress && !error && kind === protocol?.kind ? (
          <TryAnswer deploymentId={id} progress={progress} reading={reading} isUnderWay={isUnderWay} />
        ) : null}
      </div>
    </>
  );
}
