import type { ChannelEvent, ChannelType } from '@paddock/contract';
import { type SubmitEvent, useState } from 'react';
import { failureText, fieldError } from '../../../api/failure.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { Field } from '../../../ui/controls/Field.tsx';
import { Input } from '../../../ui/controls/Input.tsx';
import { RadioGroup } from '../../../ui/controls/RadioGroup.tsx';
import { FormError } from '../../../ui/feedback/FormError.tsx';
import { Dialog } from '../../../ui/overlays/Dialog.tsx';
import { EventFields } from './EventFields.tsx';

const maxNameLength = 100;
const maxUrlLength = 2048;

const types = [
  { id: 'webhook', label: 'Webhook', hint: 'Signed JSON for your own program, such as a pipeline or a status page.' },
  { id: 'slack', label: 'Slack', hint: 'A line of text for Slack, Mattermost, Rocket.Chat, or Discord (an address that ends in /slack).' },
] as const;

const samples = {
  webhook: 'https://example.com/hooks/paddock',
  slack: 'https://hooks.slack.com/services/…',
} as const satisfies Record<ChannelType, string>;

export interface ChannelValues {
  name: string;
  type: ChannelType;
  /** Empty: the address is unchanged. */
  url: string;
  events: ChannelEvent[];
}

interface Props {
  title: string;
  first: ChannelValues;
  /** Given for an existing channel, whose type is fixed. `url` is the current address in its displayable form, kept if none is typed. */
  kept?: { url?: string | undefined };
  submitLabel: string;
  busy: boolean;
  error: unknown;
  /** Error message, if the server gives none. */
  failed: string;
  onSubmit: (values: ChannelValues) => void;
  onClose: () => void;
}

/** The fields of a channel, each with the server's validation error. */
export function ChannelForm({ title, first, kept, submitLabel, busy, error, failed, onSubmit, onClose }: Props) {
  const [values, setValues] = useState(first);
  const set = (change: Partial<ChannelValues>) => setValues((before) => ({ ...before, ...change }));
  const { name, type, url, events } = values;
  const ready = name.trim() !== '' && (url.trim() !== '' || kept?.url !== undefined) && events.length > 0;
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (ready && !busy) onSubmit({ ...values, name: name.trim(), url: url.trim() });
  };
  const wrong = { name: fieldError(error, 'name'), url: fieldError(error, 'url'), events: fieldError(error, 'events') };
  const isBesideField = Object.values(wrong).some(Boolean);
  return (
    <Dialog
      open
      onClose={busy ? () => undefined : onClose}
      title={title}
      onSubmit={submit}
      footer={
        <>
          <Button onClick={onClose} disabled={busy}>
            Cancel
          </Button>
          <Button type="submit" variant="primary" busy={busy} disabled={!ready}>
            {submitLabel}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <FormError>{isBesideField ? undefined : failureText(error, failed)}</FormError>
        <Field label="Name" required hint="So that you can recognise the channel later." error={wrong.name}>
          <Input value={name} maxLength={maxNameLength} autoComplete="off" onChange={(event) => set({ name: event.target.value })} />
        </Field>
        {kept ? null : <RadioGroup label="Type" options={types} value={type} onChange={(to) => set({ type: to })} />}
        <Field label="Address" required={kept?.url === undefined} hint={addressHint(type, kept?.url)} error={wrong.url}>
          <Input
            value={url}
            mono
            maxLength={maxUrlLength}
            inputMode="url"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            placeholder={samples[type]}
            onChange={(event) => set({ url: event.target.value })}
          />
        </Field>
        <EventFields events={events} onChange={(to) => set({ events: to })} error={wrong.events} />
      </div>
    </Dialog>
  );
}

function addressHint(type: ChannelType, keptUrl: string | undefined) {
  if (keptUrl !== undefined)
    return (
      <>
        Leave empty to keep <span className="break-all">{keptUrl}</span>.
      </>
    );
  return type === 'slack'
    ? 'Anyone with this address can post to it, so it is stored encrypted and not shown again.'
    : 'Where messages are sent, preferably with https://.';
}
