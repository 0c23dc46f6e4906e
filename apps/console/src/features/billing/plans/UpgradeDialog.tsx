import type { BillingState, Quote } from '@paddock/contract';
import { ApiError } from '@paddock/contract/errors';
import { type PlanId, plans } from '@paddock/contract/plans';
import { pluralWord } from '@paddock/contract/plural';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { toast } from 'react-hot-toast/headless';
import { failureText } from '../../../api/failure.ts';
import { Loaded } from '../../../api/Loaded.tsx';
import { Button } from '../../../ui/controls/Button.tsx';
import { Banner } from '../../../ui/feedback/Banner.tsx';
import { FormError } from '../../../ui/feedback/FormError.tsx';
import { DelayedLoading } from '../../../ui/feedback/Skeleton.tsx';
import { Dialog } from '../../../ui/overlays/Dialog.tsx';
import { quoteQuery, useChoosePlan } from '../queries.ts';
import { dateText, messages, priceText } from '../words.ts';
import { Facts } from './Facts.tsx';
import { MethodChoice } from './MethodChoice.tsx';
import { Features } from './PlanGrid.tsx';

const shownFeatures = 4;

interface Props {
  plan: PlanId;
  state: BillingState;
  onClose: () => void;
}

/** Features of a plan and its cost now, shown before anything is charged. */
export function UpgradeDialog({ plan, state, onClose }: Props) {
  const { name, price_cents, features } = plans[plan];
  const query = useQuery(quoteQuery(plan));
  const quote = query.data;
  const choose = useChoosePlan();
  const [method, setMethod] = useState('');
  const [isDeclined, setDeclined] = useState(false);
  const isSmaller = quote?.kind === 'downgrade';
  const isPayable = quote !== undefined && (quote.due_now === 0 || state.payment_method !== null || method !== '');
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (!isPayable) return;
    choose.mutate(
      { plan, isSwitch: state.subscription !== null, payment_method_id: method },
      {
        onSuccess: ({ subscription, payment }) => {
          if (subscription?.plan === plan) toast.success(`Successfully ${isSmaller ? 'switched' : 'upgraded'} to ${name} plan!`);
          else if (payment) {
            // The banner at the top of the page shows a pending payment and asks for confirmation.
            toast(payment.state === 'running' ? 'The payment is being processed' : 'Confirm the payment at the top of the page');
            window.scrollTo({ top: 0 });
          }
          onClose();
        },
        onError(error) {
          toast.error(messages.upgrade);
          if (!(error instanceof ApiError && error.code === 'payment_declined')) return;
          setMethod('');
          setDeclined(true);
        },
      },
    );
  };
  const rest = features.length - shownFeatures;
  return (
    <Dialog
      open
      onClose={onClose}
      onSubmit={send}
      title={`${isSmaller ? 'Switch' : 'Upgrade'} to ${name} Plan`}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" busy={choose.isPending} disabled={!isPayable}>
            Confirm {isSmaller ? 'Switch' : 'Upgrade'}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <Facts
          of={[
            ['New plan', name],
            ['Monthly cost', priceText(price_cents / 100)],
          ]}
        />
        <div>
          <Features of={features.slice(0, shownFeatures)} />
          {rest > 0 ? (
            <p className="mt-1 text-muted">
              +{rest} more {pluralWord(rest, 'feature')}
            </p>
          ) : null}
        </div>
        <Quoted of={query} state={state} isDeclined={isDeclined} method={method} onMethod={setMethod} />
        <FormError>{failureText(choose.error, messages.upgrade)}</FormError>
      </div>
    </Dialog>
  );
}

interface QuotedProps {
  of: UseQueryResult<Quote>;
  state: BillingState;
  isDeclined: boolean;
  method: string;
  onMethod: (id: string) => void;
}

/** The amount charged now, and the payment method. */
function Quoted({ of: query, state, isDeclined, method, onMethod }: QuotedProps) {
  const quote = query.data;
  if (quote)
    return (
      <>
        <Bill quote={quote} />
        {quote.due_now > 0 ? <MethodChoice state={state} isDeclined={isDeclined} value={method} onChange={onMethod} /> : null}
        <p className="text-muted">
          {quote.kind === 'downgrade'
            ? 'Nothing is charged: the rest of the period becomes credit for your next invoices. The plan takes effect right away.'
            : 'Your card will be charged immediately, and the plan takes effect right away.'}
          {state.is_test ? ' Test mode: no money moves.' : ''}
        </p>
        {quote.undoes_cancellation ? (
          <Banner tone="warning">
            Your subscription is set to end on {dateText(quote.next_at)}. This change undoes the cancellation: the plan renews every month
            {quote.due_now > 0 ? ', unless the payment is declined' : ''}.
          </Banner>
        ) : null}
      </>
    );
  const skeleton = (
    <DelayedLoading>
      <p className="text-muted">Calculating the amount due...</p>
    </DelayedLoading>
  );
  return <Loaded query={query} failed={messages.billing} skeleton={skeleton} />;
}

/** The prorated difference of the current period, line by line, as on the invoice. */
const Bill = ({ quote: { kind, lines, credit_used, tax, tax_percent, due_now, credited, next_amount, next_at } }: { quote: Quote }) => (
  <section aria-label="Due now">
    <Facts
      sum
      of={[
        ...lines.map(({ text, amount }) => [text, priceText(amount)] as const),
        ...(credit_used > 0 ? [['Credit', priceText(-credit_used)] as const] : []),
        ...(tax > 0 ? [[`Tax, ${tax_percent} %`, priceText(tax)] as const] : []),
        kind === 'downgrade' ? ['Credited now', priceText(credited)] : ['Due now', priceText(due_now)],
      ]}
    />
    <p className="mt-1 text-sm text-muted">
      Then {priceText(next_amount)} per month from {dateText(next_at)}, plus usage{tax_percent > 0 ? ' and tax' : ''}.
    </p>
  </section>
);
