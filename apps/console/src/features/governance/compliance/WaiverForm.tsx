import type { ControlId, ControlResource } from '@paddock/contract';
import { textLimits } from '@paddock/contract/limits';
import { shownText } from '@paddock/contract/terminal-text';
import { dayMs } from '@paddock/contract/time';
import { type SubmitEvent, useState } from 'react';
import { failureText, fieldError } from '../../../api/failure.ts';
import { useSession } from '../../../api/session.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { Field } from '../../../ui/controls/Field.tsx';
import { Input } from '../../../ui/controls/Input.tsx';
import { Select } from '../../../ui/controls/Select.tsx';
import { Textarea } from '../../../ui/controls/Textarea.tsx';
import { FormError } from '../../../ui/feedback/FormError.tsx';
import { useCreateWaiver } from './queries.ts';

const firstDays = 90;
const maxDays = 364;
const minReason = 10;

/** The UTC day in the format of a date field. */
const dayIn = (days: number) => new Date(Date.now() + days * dayMs).toISOString().slice(0, 10);

interface Props {
  control: ControlId;
  resources: readonly ControlResource[];
  /** Initially chosen resource; '' means all findings of the control. */
  resource: string;
  onDone: () => void;
}

/** Accepts a control's findings, with an owner, a reason and an end. */
export function WaiverForm({ control, resources, resource, onDone }: Props) {
  const create = useCreateWaiver();
  const [values, setValues] = useState({ resource, owner: useSession()?.user.email ?? '', reason: '', day: dayIn(firstDays) });
  const [wasSent, setSent] = useState(false);
  const set = (change: Partial<typeof values>) => setValues((before) => ({ ...before, ...change }));
  const { owner, reason, day } = values;
  const wrong = {
    owner: owner.trim() === '' ? 'Enter who is responsible for it.' : undefined,
    reason: reason.trim().length < minReason ? `Enter at least ${minReason} characters.` : undefined,
    day: day < dayIn(1) || day > dayIn(maxDays) ? 'Choose a day from tomorrow up to a year from now.' : undefined,
  };
  const onSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    setSent(true);
    if (Object.values(wrong).some(Boolean)) {
      requestAnimationFrame(() => form.querySelector<HTMLElement>('[aria-invalid]')?.focus());
      return;
    }
    const subject = values.resource === '' ? {} : { resource_id: values.resource };
    create.mutate({ control, ...subject, owner, reason, expires_at: `${day}T23:59:59.000Z` }, { onSuccess: onDone });
  };
  const errorOf = (name: keyof typeof wrong) =>
    (wasSent ? wrong[name] : undefined) ?? fieldError(create.error, name === 'day' ? 'expires_at' : name);
  const failing = resources.filter(({ status, waiver_id }) => status === 'failed' && waiver_id === null);
  return (
    <form onSubmit={onSubmit} noValidate aria-label="New waiver" className="mt-2 flex flex-col gap-3 border border-border px-3 py-3">
      <Field label="Accepted finding" hint="A waiver does not hide evidence. It records who accepts the finding, why and until when.">
        <Select value={values.resource} onChange={(event) => set({ resource: event.target.value })}>
          <option value="">All findings of the control</option>
          {failing.map(({ id, name }) => (
            <option key={id} value={id}>
              {shownText(name ?? id, 80)}
            </option>
          ))}
        </Select>
      </Field>
      <div className="grid gap-3 sm:grid-cols-2">
        <Field label="Owner" required error={errorOf('owner')}>
          <Input value={owner} maxLength={textLimits.waiverOwner} onChange={(event) => set({ owner: event.target.value })} />
        </Field>
        <Field label="Until (UTC)" required error={errorOf('day')}>
          <Input type="date" value={day} min={dayIn(1)} max={dayIn(maxDays)} onChange={(event) => set({ day: event.target.value })} />
        </Field>
      </div>
      <Field label="Reason" required error={errorOf('reason')}>
        {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- the form appears because it was asked for */}
        <Textarea value={reason} autoFocus maxLength={textLimits.waiverReason} onChange={(event) => set({ reason: event.target.value })} />
      </Field>
      <div className="flex flex-wrap gap-2.5">
        <Button type="submit" variant="primary" busy={create.isPending}>
          Create waiver
        </Button>
        <Button onClick={onDone} disabled={create.isPending}>
          Cancel
        </Button>
      </div>
      {/* Reserves the space of the error, so that no control moves. */}
      <div className="min-h-10">
        <FormError>{failureText(create.error, 'The waiver could not be created.')}</FormError>
      </div>
    </form>
  );
}
