import type { BillingState, RunningPayment } from '@paddock/contract';
import { plans } from '@paddock/contract/plans';
import { toast } from 'react-hot-toast/headless';
import { failureText } from '../../api/failure.ts';
import { ButtonLink } from '../../navigation/links.tsx';
import { Button } from '../../ui/controls/Button.tsx';
import { Banner } from '../../ui/feedback/Banner.tsx';
import { FormError } from '../../ui/feedback/FormError.tsx';
import { useCancel, useConfirmPayment } from './queries.ts';
import { dateText, messages, priceText } from './words.ts';

interface Props {
  state: BillingState;
  payment: RunningPayment;
}

const looks = {
  running: { tone: 'info', head: 'A payment is being processed.' },
  needs_confirmation: { tone: 'warning', head: 'A payment needs your confirmation.' },
  declined: { tone: 'error', head: 'A payment was declined.' },
  unpaid: { tone: 'error', head: 'Usage is unpaid.' },
} as const;

/** An outstanding payment: shown above every page until it is paid. */
export function PaymentBanner({ state, payment }: Props) {
  const { tone, head } = looks[payment.state];
  const isWaiting = payment.state === 'needs_confirmation';
  return (
    <section aria-label="Payment" className="mb-4">
      <Banner tone={tone} action={isWaiting ? null : <Method of={payment} />}>
        <b className="font-bold">{head}</b> {sentences(payment)}
        {isWaiting ? <Confirming state={state} payment={payment} /> : null}
      </Banner>
    </section>
  );
}

const Method = ({ of }: { of: RunningPayment }) =>
  of.state === 'running' ? null : (
    <ButtonLink to="/settings" search={{ tab: 'billing' }}>
      Update Payment Method
    </ButtonLink>
  );

/** The amount, its purpose, why it is not paid, and what happens next. */
function sentences({ state, purpose, plan, amount, reason, next_try_at, ends_at }: RunningPayment): string {
  const of = plan ? `the ${plans[plan].name} plan` : 'usage of your last subscription';
  const isOfPeriod = purpose === 'renewal';
  return [
    `${priceText(amount)} for ${of}.`,
    reason ?? '',
    state === 'running' ? 'This page updates when it is done.' : '',
    next_try_at ? `It will be retried on ${dateText(next_try_at)}, or immediately if you change the payment method.` : '',
    ends_at && isOfPeriod ? `If it is not paid by ${dateText(ends_at)}, the plan ends.` : '',
    ends_at && !isOfPeriod && state === 'needs_confirmation'
      ? `If it is not confirmed by ${dateText(ends_at)}, it is cancelled and nothing changes.`
      : '',
    purpose === 'usage' && state === 'unpaid'
      ? 'You cannot select a plan until it is paid. If you change the payment method, it is retried immediately.'
      : '',
  ]
    .filter(Boolean)
    .join(' ');
}

/** Asks the bank for confirmation, or in test mode the person. */
function Confirming({ state: { provider }, payment: { purpose } }: Props) {
  const confirm = useConfirmPayment();
  const cancel = useCancel();
  const press = (outcome: 'confirm' | 'refuse') =>
    confirm.mutate(outcome, {
      onSuccess: ({ url, payment }) => {
        if (url) location.assign(url);
        else if (!payment) toast.success('Payment confirmed');
      },
    });
  const isTest = provider === 'test';
  return (
    <div className="mt-1.5 flex flex-col gap-2">
      <div className="flex flex-wrap gap-2.5">
        <Button variant="primary" busy={confirm.isPending} onClick={() => press('confirm')}>
          Confirm payment
        </Button>
        {isTest ? (
          <Button busy={confirm.isPending} onClick={() => press('refuse')}>
            Decline payment
          </Button>
        ) : null}
        {purpose === 'first' && !isTest ? (
          <Button busy={cancel.isPending} onClick={() => cancel.mutate()}>
            Cancel payment
          </Button>
        ) : null}
      </div>
      <FormError>{failureText(confirm.error ?? cancel.error, messages.confirm)}</FormError>
    </div>
  );
}
