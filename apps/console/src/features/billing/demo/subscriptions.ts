import type { Client } from '@paddock/client';
import { ApiError } from '@paddock/contract/errors';
import type { contract } from '@paddock/contract/routes';
import { answer } from '../../../demo/answering.ts';
import { findTestPaymentMethod, type SubscriptionWorld } from './subscription-world.ts';

/** Plans and payments of the demo, with everything that the test provider supports. */
export function demoBilling(world: SubscriptionWorld): Client<typeof contract>['billing'] {
  const changed = (work: () => void) =>
    answer(() => {
      work();
      return world.state();
    });
  return {
    subscription: (_input, options) => answer(world.state, options),
    quote: ({ plan }, options) => answer(() => world.quote(plan), options),
    // The demo always has a subscription: a cancelled one lasts until its period ends.
    subscribe: () => Promise.reject(new ApiError('subscription_exists')),
    switch: ({ plan }) => changed(() => world.change(plan)),
    cancel: () =>
      changed(() => {
        if (world.isEnding && !world.paying) throw new ApiError('already_cancelled');
        Object.assign(world, { isEnding: true, paying: undefined });
      }),
    resume: () =>
      changed(() => {
        if (!world.isEnding) throw new ApiError('not_cancelled');
        world.isEnding = false;
      }),
    setPaymentMethod: ({ payment_method_id }) =>
      changed(() => {
        world.method = findTestPaymentMethod(payment_method_id);
      }),
    startPaymentMethod: () => Promise.reject(new ApiError('payment_page_missing')),
    confirmPayment: ({ outcome } = {}) =>
      answer(() => {
        if (world.paying?.state !== 'needs_confirmation') throw new ApiError('payment_not_waiting');
        const reason = outcome === 'refuse' ? 'You refused the payment.' : world.method.reason;
        if (reason) world.decline(reason);
        world.settle();
        return { ...world.state(), url: null };
      }),
    dismissNotice: ({ id }) =>
      answer(() => {
        world.notices = world.notices.filter((each) => each.id !== id);
        return null;
      }),
  };
}
