import type { DeploymentDetail } from '@paddock/contract';
import { ApiError } from '@paddock/contract/errors';
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { failureText, fieldError, requestId } from '../../../api/failure.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { Field } from '../../../ui/controls/Field.tsx';
import { Textarea } from '../../../ui/controls/Textarea.tsx';
import { ErrorState } from '../../../ui/feedback/ErrorState.tsx';
import { Kbd } from '../../../ui/text/Kbd.tsx';
import { keepRequest, lastRequest } from './last-request.ts';
import { likelyPreset, presets } from './presets.ts';
import { RequestFields } from './RequestFields.tsx';
import { type Draft, hasBody, wishOf } from './request-text.ts';
import { TryAnswer } from './TryAnswer.tsx';
import { useTry } from './use-try.ts';

const sendKeys = navigator.platform.startsWith('Mac') ? '⌘↵' : 'Ctrl ↵';

/** A request to the agent, and its answer as it comes. */
export function TryPanel({ deployment: { id, plan } }: { deployment: DeploymentDetail }) {
  const [draft, setDraft] = useState<Draft>(() => lastRequest(id) ?? presets[likelyPreset(plan)].draft);
  const [problem, setProblem] = useState<string>();
  const { send, cancel, progress, error, isUnderWay } = useTry(id);
  const form = useRef<HTMLFormElement>(null);
  // The button that opened the panel is gone, so whoever came by keyboard goes on here.
  useEffect(() => form.current?.querySelector('select')?.focus(), []);

  const change = (next: Partial<Draft>) => setDraft((before) => ({ ...before, ...next }));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isUnderWay) return;
    const read = wishOf(draft);
    setProblem('problem' in read ? read.problem : undefined);
    if ('problem' in read) return;
    keepRequest(id, draft);
    send(read.wish);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit(event);
  };
  const headerError = problem ?? headersError(error);
  const shown = { path: fieldError(error, 'path'), headers: headerError };

  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the key sends the form from each of its fields */}
      <form ref={form} aria-label="Request to the agent" className="flex flex-col gap-3" onSubmit={submit} onKeyDown={onKeyDown}>
        <RequestFields draft={draft} onChange={change} pathError={shown.path} />
        <Field label="Headers" hint={'One a line, such as "accept: text/plain"'} error={shown.headers}>
          <Textarea mono rows={2} spellCheck={false} value={draft.headers} onChange={({ target }) => change({ headers: target.value })} />
        </Field>
        {hasBody(draft.method) ? (
          <Field label="Body">
            <Textarea mono rows={10} spellCheck={false} value={draft.body} onChange={({ target }) => change({ body: target.value })} />
          </Field>
        ) : null}
        <div className="flex flex-wrap items-center gap-2">
          <Button type="submit" variant="primary" busy={isUnderWay}>
            Send
          </Button>
          <Button onClick={cancel} disabled={!isUnderWay}>
            Cancel
          </Button>
          <span className="text-sm text-muted pointer-coarse:hidden">
            <Kbd keys={sendKeys} /> sends
          </span>
        </div>
      </form>
      <div className="mt-3">
        {error && !shown.path && !shown.headers ? (
          <ErrorState
            message={failureText(error, 'The server cannot be reached. The agent may have got the request all the same.') ?? ''}
            requestId={requestId(error)}
          />
        ) : null}
        {progress && !error ? <TryAnswer deploymentId={id} progress={progress} isUnderWay={isUnderWay} /> : null}
      </div>
    </>
  );
}

/** What the server found wrong with one of the headers. */
const headersError = (error: unknown): string | undefined =>
  error instanceof ApiError ? error.errors?.find(({ path }) => path.startsWith('headers'))?.message : undefined;
