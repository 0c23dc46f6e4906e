import { textLimits } from '@paddock/contract/limits';
import { useQuery } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { failureText, fieldError } from '../../../../api/failure.ts';
import { Button } from '../../../../ui/controls/Button.tsx';
import { Field } from '../../../../ui/controls/Field.tsx';
import { Input } from '../../../../ui/controls/Input.tsx';
import { RadioGroup } from '../../../../ui/controls/RadioGroup.tsx';
import { FormError } from '../../../../ui/feedback/FormError.tsx';
import { Dialog } from '../../../../ui/overlays/Dialog.tsx';
import { ConfirmErasure } from './ConfirmErasure.tsx';
import { IdentifierFields } from './IdentifierFields.tsx';
import { isUnderWay, subjectQuery, useAskForData } from './subject-requests.ts';
import { messages } from './words.ts';

const shortest = 4;

const kinds = [
  { id: 'find', label: 'Find', hint: 'Shows where the identifiers appear. Nothing is changed.' },
  {
    id: 'erase',
    label: 'Erase',
    hint: 'Counts them first, then removes them from records, logs and traces and issues a signed certificate.',
  },
] as const;

interface Props {
  /** Called with the id of the new request. */
  onDone: (id: string) => void;
  onClose: () => void;
}

/** Requests that a person's data be found or erased. */
export function SubjectForm({ onDone, onClose }: Props) {
  const ask = useAskForData();
  const [kind, setKind] = useState<'find' | 'erase'>('find');
  const [identifiers, setIdentifiers] = useState(['']);
  const [reference, setReference] = useState('');
  const [wasSent, setSent] = useState(false);
  /** The request that counts the data an erasure would erase. */
  const [previewId, setPreviewId] = useState<string>();
  const preview = useQuery({ ...subjectQuery(previewId ?? ''), enabled: previewId !== undefined });
  const isCounting = previewId !== undefined && !preview.error && (!preview.data || isUnderWay(preview.data));
  const given = identifiers.map((text) => text.trim()).filter((text) => text !== '');
  const wrong = identifiers.map((text, at) => {
    const { length } = text.trim();
    if (length === 0) return at === 0 && given.length === 0 ? 'Enter at least one identifier.' : undefined;
    return length < shortest ? `An identifier needs at least ${shortest} characters.` : undefined;
  });
  const send = () =>
    ask.mutate(
      { kind: 'find', identifiers: given, reference },
      { onSuccess: ({ id }) => (kind === 'erase' ? setPreviewId(id) : onDone(id)) },
    );
  const onSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    // The confirmation form is a child of this form in React, so its submit event bubbles here as well.
    if (event.target !== event.currentTarget) return;
    event.preventDefault();
    const form = event.currentTarget;
    setSent(true);
    if (wrong.some(Boolean)) {
      requestAnimationFrame(() => form.querySelector<HTMLElement>('[aria-invalid]')?.focus());
      return;
    }
    if (!isCounting) send();
  };
  const errorOf = (at: number) => (wasSent ? wrong[at] : undefined) ?? fieldError(ask.error, `identifiers.${at}`);
  return (
    <Dialog
      open
      onClose={onClose}
      onSubmit={onSubmit}
      title="New Request"
      description="A person’s request to find or erase their data."
      footer={
        <>
          <Button onClick={onClose} disabled={ask.isPending}>
            Cancel
          </Button>
          <Button type="submit" variant={kind === 'erase' ? 'danger' : 'primary'} busy={ask.isPending || isCounting}>
            {kind === 'erase' ? 'Erase data' : 'Find data'}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <RadioGroup label="Kind" options={kinds} value={kind} onChange={setKind} />
        <IdentifierFields values={identifiers} onChange={setIdentifiers} errorOf={errorOf} />
        <Field
          label="Reference"
          hint="Such as a ticket number. It is kept permanently, so leave names out."
          error={fieldError(ask.error, 'reference')}
        >
          <Input
            value={reference}
            maxLength={textLimits.dataSubjectReference}
            autoComplete="off"
            onChange={({ target }) => setReference(target.value)}
          />
        </Field>
        <FormError>{failureText(ask.error ?? preview.error, messages.create)}</FormError>
        {isCounting ? <p role="status">Counting what would be erased…</p> : null}
        {preview.data?.status === 'failed' ? <FormError>{messages.preview}</FormError> : null}
      </div>
      {preview.data?.status === 'completed' ? (
        <ConfirmErasure
          preview={preview.data}
          asked={{ identifiers: given, reference }}
          onDone={onDone}
          onClose={() => setPreviewId(undefined)}
        />
      ) : null}
    </Dialog>
  );
}
