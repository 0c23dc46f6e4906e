import { Checkbox } from '../../../ui/controls/Checkbox.tsx';
import { Field } from '../../../ui/controls/Field.tsx';
import { Input } from '../../../ui/controls/Input.tsx';
import { RadioGroup } from '../../../ui/controls/RadioGroup.tsx';
import type { Draft } from './use-draft.ts';
import { bodyOptions, overrunOptions, unrecordedOptions } from './words.ts';

/** Which bodies are recorded, and what happens if recording or scanning fails. */
export function ModeFields({ draft: { shown, set, percentText, wrong, writePercent } }: { draft: Draft }) {
  return (
    <div className="grid items-start gap-6 lg:grid-cols-3">
      <div className="flex flex-col gap-2">
        <RadioGroup label="Bodies in the audit trail" options={bodyOptions} value={shown.bodies} onChange={(bodies) => set({ bodies })} />
        {shown.bodies === 'sampled' ? (
          <Field label="Share recorded with a body, in %" error={wrong}>
            <Input
              inputMode="numeric"
              maxLength={3}
              autoComplete="off"
              value={percentText}
              onChange={(event) => writePercent(event.target.value)}
            />
          </Field>
        ) : null}
      </div>
      <RadioGroup
        label="When recording is not possible"
        options={unrecordedOptions}
        value={shown.when_unrecorded}
        onChange={(when_unrecorded) => set({ when_unrecorded })}
      />
      <RadioGroup
        label="When a body is too large to scan, takes too long, or cannot be read"
        options={overrunOptions}
        value={shown.on_overrun}
        onChange={(on_overrun) => set({ on_overrun })}
      />
    </div>
  );
}

/** Whether log lines are redacted, and whether traces keep prompts and answers. */
export function LogAndTraceFields({ draft: { shown, set } }: { draft: Draft }) {
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="mb-2 text-sm font-semibold">Logs and traces</legend>
      <Checkbox
        label={
          <>
            Redact log lines{' '}
            <span className="block text-sm text-muted">
              Log lines of agents are stored redacted. The original text cannot be recovered.
            </span>
          </>
        }
        checked={shown.redact_logs}
        onChange={(event) => set({ redact_logs: event.target.checked })}
      />
      <Checkbox
        label={
          <>
            Keep prompts and answers in traces{' '}
            <span className="block text-sm text-muted">
              They are stored redacted and shown with their span. Otherwise they are dropped.
            </span>
          </>
        }
        checked={shown.keep_span_content}
        onChange={(event) => set({ keep_span_content: event.target.checked })}
      />
    </fieldset>
  );
}
