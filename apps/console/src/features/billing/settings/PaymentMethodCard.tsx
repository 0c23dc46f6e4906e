import type { BillingState } from '@paddock/contract';
import { type FormEvent, useState } from 'react';
import { toast } from 'react-hot-toast/headless';
import { failureText } from '../../../api/failure.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { FormError } from '../../../ui/feedback/FormError.tsx';
import { Card } from '../../../ui/layout/Card.tsx';
import { CardPage, TestMethods } from '../plans/MethodChoice.tsx';
import { useSetPaymentMethod } from '../queries.ts';
import { messages, methodText } from '../words.ts';

/** The saved payment method, and how to change it. */
export const PaymentMethodCard = ({ state: { payment_method: saved, provider } }: { state: BillingState }) => (
  <Card title="Payment Method">
    <p className="mb-3">
      {saved ? methodText(saved) : 'No payment method is saved.'}
      {saved?.exp_month && saved.exp_year ? (
        <span className="text-muted">
          , until {String(saved.exp_month).padStart(2, '0')}/{saved.exp_year}
        </span>
      ) : null}
    </p>
    {provider === 'test' ? <TestForm /> : <CardPage label={saved ? 'Change the card' : 'Add a card'} />}
  </Card>
);

function TestForm() {
  const [method, setMethod] = useState('');
  const set = useSetPaymentMethod();
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (method)
      set.mutate(method, {
        onSuccess: ({ payment }) => {
          if (!payment) toast.success('Payment method saved');
          setMethod('');
        },
      });
  };
  return (
    <form onSubmit={send} className="flex flex-col gap-3">
      <TestMethods value={method} onChange={setMethod} />
      <div>
        <Button type="submit" variant="primary" busy={set.isPending} disabled={method === ''}>
          Save payment method
        </Button>
      </div>
      <FormError>{failureText(set.error, messages.method)}</FormError>
    </form>
  );
}
