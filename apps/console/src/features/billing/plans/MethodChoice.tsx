import type { BillingState } from '@paddock/contract';
import { testMethodText, testPaymentMethods } from '@paddock/contract/test-payment-methods';
import { failureText } from '../../../api/failure.ts';
import { PageLink } from '../../../navigation/links.tsx';
import { Button } from '../../../ui/controls/Button.tsx';
import { Field } from '../../../ui/controls/Field.tsx';
import { Select } from '../../../ui/controls/Select.tsx';
import { FormError } from '../../../ui/feedback/FormError.tsx';
import { useStartPaymentMethod } from '../queries.ts';
import { messages, methodText } from '../words.ts';

interface Choosing {
  value: string;
  onChange: (id: string) => void;
}

interface Props extends Choosing {
  state: BillingState;
  /** The payment was declined just now, so that another method is offered. */
  isDeclined: boolean;
}

/** The saved payment method, or a way to add one. Card numbers are entered only on the provider's page. */
export function MethodChoice({ state: { payment_method, provider }, isDeclined, ...choosing }: Props) {
  if (payment_method && !isDeclined)
    return (
      <p>
        Paid with {methodText(payment_method)}.{' '}
        <PageLink to="/settings" search={{ tab: 'billing' }}>
          Change it in the settings
        </PageLink>
      </p>
    );
  return (
    <>
      {payment_method ? <p>{methodText(payment_method)} was declined. Pay with another one:</p> : null}
      {provider === 'test' ? <TestMethods {...choosing} /> : <CardPage label={payment_method ? 'Use another card' : 'Add a card'} />}
    </>
  );
}

/** The methods of the test provider, each with the outcome of its payments. */
export const TestMethods = ({ value, onChange }: Choosing) => (
  <Field label="Test payment method" hint="Test mode has no cards: the name of each method says how its payments end.">
    <Select value={value} onChange={(event) => onChange(event.target.value)}>
      <option value="">Choose a method</option>
      {testPaymentMethods.map((method) => (
        <option key={method.id} value={method.id}>
          {`${method.id}: ${testMethodText(method)}`}
        </option>
      ))}
    </Select>
  </Field>
);

/** A button that opens the provider's own page, which returns to the settings. */
export function CardPage({ label }: { label: string }) {
  const start = useStartPaymentMethod();
  return (
    <div className="flex flex-col items-start gap-2">
      <p className="max-w-text text-muted">
        You enter your card on a Stripe page that returns you here. Paddock never sees the card number.
      </p>
      <Button busy={start.isPending} onClick={() => start.mutate()}>
        {label}
      </Button>
      <FormError>{failureText(start.error, messages.method)}</FormError>
    </div>
  );
}
