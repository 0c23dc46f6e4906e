import type { Protocol } from '@paddock/contract';
import { ApiError } from '@paddock/contract/errors';
import { useState } from 'react';
import { fieldError } from '../../../api/failure.ts';
import { Field } from '../../../ui/controls/Field.tsx';
import { Textarea } from '../../../ui/controls/Textarea.tsx';
import { keepRequest } from './last-request.ts';
import { RequestFields } from './RequestFields.tsx';
import { type Draft, hasBody, parseDraft } from './request-text.ts';
import { SendButtons } from './SendButtons.tsx';
import { TryForm } from './TryForm.tsx';
import type { Trying } from './use-try.ts';

type Props = { id: string; protocols: Protocol[]; draft: Draft; onDraft: (next: Draft) => void; trying: Trying };

/** A form for any request, written by hand. */
export function RequestForm({ id, protocols, draft, onDraft, trying: { send, cancel, error, isUnderWay } }: Props) {
  const [problem, setProblem] = useState<string>();
  const change = (next: Partial<Draft>) => onDraft({ ...draft, ...next });
  const submit = () => {
    const read = parseDraft(draft);
    setProblem('problem' in read ? read.problem : undefined);
    if ('problem' in read) return;
    keepRequest(id, draft);
    send(read);
  };
  return (
    <TryForm label="Request to the agent" onSubmit={submit} isUnderWay={isUnderWay}>
      <RequestFields draft={draft} protocols={protocols} onChange={change} pathError={fieldError(error, 'path')} />
      <Field label="Headers" hint={'One per line, such as "accept: text/plain"'} error={problem ?? headersError(error)}>
        <Textarea mono rows={2} spellCheck={false} value={draft.headers} onChange={({ target }) => change({ headers: target.value })} />
      </Field>
      {hasBody(draft.method) ? (
        <Field label="Body">
          <Textarea mono rows={10} spellCheck={false} value={draft.body} onChange={({ target }) => change({ body: target.value })} />
        </Field>
      ) : null}
      <SendButtons busy={isUnderWay} cancel={cancel} />
    </TryForm>
  );
}

/** The server's validation error for the headers. */
export const headersError = (error: unknown): string | undefined =>
  error instanceof ApiError ? error.errors?.find(({ path }) => path.startsWith('headers'))?.message : undefined;
