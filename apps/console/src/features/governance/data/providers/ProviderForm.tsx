import type { ModelProvider } from '@paddock/contract';
import { textLimits } from '@paddock/contract/limits';
import { useQuery } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { failureText } from '../../../../api/failure.ts';
import { Button } from '../../../../ui/controls/Button.tsx';
import { Field } from '../../../../ui/controls/Field.tsx';
import { Input } from '../../../../ui/controls/Input.tsx';
import { Select } from '../../../../ui/controls/Select.tsx';
import { Textarea } from '../../../../ui/controls/Textarea.tsx';
import { FormError } from '../../../../ui/feedback/FormError.tsx';
import { Dialog } from '../../../../ui/overlays/Dialog.tsx';
import { providersQuery, useChangeProvider } from './model-providers.ts';

interface Props {
  /** The entry to edit; without it a new one is added. */
  first?: ModelProvider;
  /** Initial name of a new entry. */
  name?: string;
  onClose: () => void;
}

/** Typed values so far. */
type Draft = Omit<ModelProvider, 'agreement'> & { agreement: ModelProvider['agreement'] | '' };

/** Adds a provider to the register, or changes one. */
export function ProviderForm({ first, name = '', onClose }: Props) {
  const change = useChangeProvider();
  const { data } = useQuery(providersQuery);
  // A new entry has no agreement selected, so that none is stored which nobody chose.
  const [values, setValues] = useState<Draft>(first ?? { provider: name, region: '', agreement: '', note: '' });
  const [wasSent, setSent] = useState(false);
  const set = (part: Partial<Draft>) => setValues((before) => ({ ...before, ...part }));
  const provider = values.provider.trim().toLowerCase();
  const isTaken = data?.providers.some((one) => one.provider === provider && provider !== first?.provider) ?? false;
  const taken = isTaken ? 'Already in the register. Edit that entry instead.' : undefined;
  const wrong = provider === '' ? 'Enter the provider.' : taken;
  const onSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    setSent(true);
    const { agreement } = values;
    if (wrong || agreement === '') requestAnimationFrame(() => form.querySelector<HTMLElement>('[aria-invalid]')?.focus());
    else change.mutate({ name: first?.provider, to: { ...values, provider, agreement } }, { onSuccess: onClose });
  };
  return (
    <Dialog
      open
      onClose={onClose}
      onSubmit={onSubmit}
      title={first ? `Edit ${first.provider}` : 'Add provider'}
      footer={
        <>
          <Button onClick={onClose} disabled={change.isPending}>
            Cancel
          </Button>
          <Button type="submit" variant="primary" busy={change.isPending}>
            {first ? 'Save changes' : 'Add provider'}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <Field
          label="Provider"
          required
          hint="As named in traces, such as openai or aws.bedrock, or the host that is called."
          error={wasSent ? wrong : undefined}
        >
          <Input
            value={values.provider}
            maxLength={textLimits.modelProvider}
            spellCheck={false}
            onChange={({ target }) => set({ provider: target.value })}
          />
        </Field>
        <Field label="Region" hint="Where it processes data, such as eu or us-east-1.">
          <Input
            value={values.region}
            maxLength={textLimits.modelProviderRegion}
            onChange={({ target }) => set({ region: target.value })}
          />
        </Field>
        <Field
          label="Agreement"
          required
          error={wasSent && values.agreement === '' ? 'Choose the agreement that you have, or None.' : undefined}
        >
          <Select value={values.agreement} onChange={({ target }) => set({ agreement: target.value as Draft['agreement'] })}>
            {values.agreement === '' ? <option value="">Choose …</option> : null}
            <option value="dpa">Data processing agreement (DPA)</option>
            <option value="baa">Business associate agreement (BAA)</option>
            <option value="none">None</option>
          </Select>
        </Field>
        <Field label="Note">
          <Textarea value={values.note} maxLength={textLimits.modelProviderNote} onChange={({ target }) => set({ note: target.value })} />
        </Field>
        <FormError>{failureText(change.error, 'The register could not be saved. Your input is still here.')}</FormError>
      </div>
    </Dialog>
  );
}
