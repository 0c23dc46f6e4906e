import type { ModelPrice } from '@paddock/contract';
import { textLimits } from '@paddock/contract/limits';
import { type SubmitEvent, useState } from 'react';
import { toast } from 'react-hot-toast/headless';
import { failureText } from '../../../api/failure.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { Field } from '../../../ui/controls/Field.tsx';
import { Input } from '../../../ui/controls/Input.tsx';
import { FormError } from '../../../ui/feedback/FormError.tsx';
import { Dialog } from '../../../ui/overlays/Dialog.tsx';
import { checkPrice, type PriceField, toPriceTexts } from './price-form.ts';
import { useSetPrice } from './queries.ts';

interface Props {
  /** The price to edit; without it a price for another model is added. */
  first?: ModelPrice | undefined;
  /** Models that already have a team price. */
  taken: readonly string[];
  onClose: () => void;
}

const fields: readonly [PriceField, label: string, hint: string][] = [
  ['input_usd', 'Input', 'Per million tokens that were not cached.'],
  ['output_usd', 'Output', 'Per million tokens, including reasoning.'],
  ['cached_input_usd', 'Cached input', 'Read from a cache. If empty, the input price applies.'],
  ['cache_write_usd', 'Cache write', 'Written to a cache. If empty, the input price applies.'],
];

/** The form of the team's price for a model. */
export function PriceDialog({ first, taken, onClose }: Props) {
  const set = useSetPrice();
  const [texts, setTexts] = useState(() => toPriceTexts(first));
  const [problems, setProblems] = useState<Partial<Record<PriceField, string>>>({});
  const change = (field: PriceField, text: string) => {
    setTexts({ ...texts, [field]: text });
    setProblems({ ...problems, [field]: undefined });
  };
  const onSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (set.isPending) return;
    const checked = checkPrice(texts, first ? [] : taken);
    setProblems(checked.problems ?? {});
    if (!checked.price) {
      const form = event.currentTarget;
      requestAnimationFrame(() => form.querySelector<HTMLElement>('[aria-invalid]')?.focus());
      return;
    }
    const { price } = checked;
    const onSuccess = () => {
      onClose();
      toast.success('Price saved');
    };
    set.mutate({ model: price.model, price }, { onSuccess });
  };
  const input = (field: PriceField) => ({
    value: texts[field],
    autoComplete: 'off',
    onChange: (event: { target: { value: string } }) => change(field, event.target.value),
  });
  return (
    <Dialog
      open
      onClose={set.isPending ? () => undefined : onClose}
      title={first ? `Price of ${first.model}` : 'Add price'}
      description="In US dollars. All costs, including those of earlier traces, use it immediately."
      onSubmit={onSubmit}
      footer={
        <>
          <Button onClick={onClose} disabled={set.isPending}>
            Cancel
          </Button>
          <Button type="submit" variant="primary" busy={set.isPending}>
            Save price
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <FormError>{failureText(set.error, 'Failed to save the price. Nothing was changed.')}</FormError>
        {first ? null : (
          <Field label="Model" required hint="The name as shown in traces." error={problems.model}>
            <Input {...input('model')} mono maxLength={textLimits.modelName} autoCapitalize="none" spellCheck={false} />
          </Field>
        )}
        <div className="grid gap-4 sm:grid-cols-2">
          {fields.map(([field, label, hint]) => (
            <Field key={field} label={label} hint={hint} error={problems[field]} required={field === 'input_usd' || field === 'output_usd'}>
              <Input {...input(field)} inputMode="decimal" maxLength={20} />
            </Field>
          ))}
        </div>
      </div>
    </Dialog>
  );
}
