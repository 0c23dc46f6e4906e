import type { BillingDetails } from '@paddock/contract';
import { holdsCardNumber, noCardNumbers } from '@paddock/contract/card-number';
import { countryName } from '@paddock/contract/countries';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { toast } from 'react-hot-toast/headless';
import { failureText, fieldError } from '../../../api/failure.ts';
import { Loaded } from '../../../api/Loaded.tsx';
import { Button } from '../../../ui/controls/Button.tsx';
import { Field } from '../../../ui/controls/Field.tsx';
import { Input } from '../../../ui/controls/Input.tsx';
import { Select } from '../../../ui/controls/Select.tsx';
import { Textarea } from '../../../ui/controls/Textarea.tsx';
import { FormError } from '../../../ui/feedback/FormError.tsx';
import { Card } from '../../../ui/layout/Card.tsx';
import { messages } from '../words.ts';
import { detailsQuery, useSetDetails } from './queries.ts';

/** The billing details printed on invoices. */
export function DetailsCard() {
  const query = useQuery(detailsQuery);
  return (
    <Card title="Billing Details">
      <p className="mb-3 max-w-text text-muted">
        Your invoices show this name and address, starting with the next one. Earlier invoices do not change.
      </p>
      <Loaded query={query} failed={messages.details}>
        {(data) => <DetailsForm saved={data} />}
      </Loaded>
    </Card>
  );
}

const letters = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ');
const countries = letters
  .flatMap((one) => letters.map((other) => one + other))
  .flatMap((code) => ({ code, name: countryName(code) ?? '' }))
  .filter(({ name }) => name !== '')
  .toSorted((a, b) => a.name.localeCompare(b.name, 'en'));

type Texts = Omit<BillingDetails, 'address'>;

/** The form keeps typed values until they are saved, even if the query is refetched meanwhile. */
function DetailsForm({ saved }: { saved: BillingDetails }) {
  const [typed, setTyped] = useState<Partial<Texts & { address: string }>>({});
  const set = useSetDetails();
  const shown = { ...saved, address: saved.address.join('\n'), ...typed };
  // A card number must not leave the browser.
  const hasCard = Object.values(typed).some(holdsCardNumber);
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (hasCard) return;
    const address = shown.address.split('\n').filter((line) => line.trim() !== '');
    set.mutate(
      { ...shown, address },
      {
        onSuccess: () => {
          setTyped({});
          toast.success('Billing details saved');
        },
      },
    );
  };
  const field = (name: keyof typeof shown, label: string, more: { hint?: string; autoComplete: string; type?: string }): ReactNode => {
    const { hint, ...rest } = more;
    return (
      <Field label={label} hint={hint} error={fieldError(set.error, name)}>
        <Input {...rest} value={shown[name]} onChange={(event) => setTyped({ ...typed, [name]: event.target.value })} />
      </Field>
    );
  };
  return (
    <form noValidate onSubmit={send} className="flex max-w-text flex-col gap-4">
      {field('name', 'Name or company', { autoComplete: 'billing organization' })}
      {field('email', 'E-mail for invoices', {
        autoComplete: 'billing email',
        type: 'email',
        hint: 'Printed on invoices. E-mails are sent to the members of the team.',
      })}
      <Field label="Address" hint="At most 4 lines." error={fieldError(set.error, 'address')}>
        <Textarea
          rows={2}
          autoComplete="billing street-address"
          value={shown.address}
          onChange={(event) => setTyped({ ...typed, address: event.target.value })}
        />
      </Field>
      <div className="grid gap-4 sm:grid-cols-2">
        {field('postal_code', 'Postal code', { autoComplete: 'billing postal-code' })}
        {field('city', 'City', { autoComplete: 'billing address-level2' })}
      </div>
      <Field label="Country" error={fieldError(set.error, 'country')}>
        <Select
          autoComplete="billing country"
          value={shown.country}
          onChange={(event) => setTyped({ ...typed, country: event.target.value })}
        >
          <option value="">Not specified</option>
          {countries.map(({ code, name }) => (
            <option key={code} value={code}>
              {name}
            </option>
          ))}
        </Select>
      </Field>
      {field('tax_id', 'Tax ID', { autoComplete: 'off', hint: 'For example DE123456789. Printed exactly as you enter it.' })}
      <FormError>{hasCard ? noCardNumbers : failureText(set.error, messages.saveDetails)}</FormError>
      <div>
        <Button type="submit" variant="primary" busy={set.isPending}>
          Save billing details
        </Button>
      </div>
    </form>
  );
}
