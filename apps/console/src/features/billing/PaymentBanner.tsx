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
  running: { tone: 'info', head: 'A payment is under way.' },
  needs_confirmation: { tone: 'warning', head: 'A payment waits for your confirmation.' },
  declined: { tone: 'error', head: 'A payment was declined.' },
  unpaid: { tone: 'error', head: 'Usage is not paid.' },
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
    state === 'running' ? 'This page says when it is done.' : '',
    next_try_at ? `It is tried again on ${dateText(next_try_at)}, and at once with another payment method.` : '',
    ends_at && isOfPeriod ? `Unless it is paid by ${dateText(ends_at)}, the plan ends.` : '',
    ends_at && !isOfPeriod && state === 'needs_confirmation'
      ? `After ${dateText(ends_at)} it is dropped, and everything stays as it is.`
      : '',
    purpose === 'usage' && state === 'unpaid' ? 'No plan can be selected before: another payment method is tried at once.' : '',
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
        else if (!payment) toast.success('The payment is confirmed');
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
            Refuse payment
          </Button>
        ) : null}
        {purpose === 'first' && !isTest ? (
          <Button busy={cancel.isPending} onClick={() => cancel.mutate()}>
            Give it up
          </Button>
        ) : null}
      </div>
      <FormError>{failureText(confirm.error ?? cancel.error, messages.confirm)}</FormError>
    </div>
  );
}
