import { dayMs, hourMs } from '@paddock/contract/time';
import { expect, test } from 'vitest';
import { quotePlanChange, subscriptionWorld } from './subscription-world.ts';

const start = Date.parse('2026-11-12T10:00:00.000Z');

function demo() {
  let now = start;
  const person = { user: { plan: 'pro' } };
  const world = subscriptionWorld(person, { renewedAt: start - 11 * dayMs, paid: 99, clock: () => now });
  return { world, person, pass: (ms: number) => (now += ms) };
}
const code = (work: () => unknown) => {
  try {
    work();
    return 'done';
  } catch (error) {
    return (error as { code: string }).code;
  }
};

test('a switch costs the rest of the period on the new plan less that on the old one, to the cent', () => {
  const anchor = Date.parse('2026-11-01T00:00:00.000Z');
  const half = Date.parse('2026-11-16T00:00:00.000Z');
  const up = quotePlanChange('pro', 'enterprise', { anchor, at: half, credit: 30 });
  expect(up.lines.map(({ amount }) => amount)).toEqual([-49.5, 149.5]);
  expect([up.credit_used, up.due_now, up.credited, up.next_at]).toEqual([30, 70, 0, '2026-12-01T00:00:00.000Z']);
  const down = quotePlanChange('pro', 'starter', { anchor, at: half, credit: 0 });
  expect([down.kind, down.due_now, down.credited]).toEqual(['downgrade', 0, 35]);
});

test('what a smaller plan gives back comes off the next larger one: there and back costs nothing', () => {
  const { world, person } = demo();
  world.change('starter');
  expect(person.user.plan).toBe('starter');
  expect(world.state().credit).toBeGreaterThan(40);
  world.change('pro');
  expect(world.state()).toMatchObject({ credit: 0, subscription: { plan: 'pro' } });
  expect(world.state().notices[0]?.text).toBe('Your Pro plan is active.');
});

test('a switch takes a pending cancellation back, says so before, and leaves it where the payment is declined', () => {
  const { world } = demo();
  world.isEnding = true;
  expect(world.quote('enterprise').undoes_cancellation).toBe(true);
  expect(code(() => world.quote('pro'))).toBe('cancel_pending');
  world.method = { id: 'pm_card_chargeDeclined', brand: 'visa', last4: '0002', outcome: 'declines', reason: 'Your card was declined.' };
  expect(code(() => world.change('enterprise'))).toBe('payment_declined');
  expect(world.state().subscription?.cancel_at_period_end).toBe(true);
  world.change('starter');
  expect(world.state().subscription).toMatchObject({ plan: 'starter', cancel_at_period_end: false });
  expect(world.quote('pro').undoes_cancellation).toBe(false);
});

test('a declined payment changes nothing but says so; one that waits is confirmed; a slow one is done after a while', () => {
  const { world, person, pass } = demo();
  const use = (id: string, outcome: 'declines' | 'confirms' | 'later') =>
    (world.method = { id, brand: 'visa', last4: '0002', outcome, reason: 'Your card was declined.' });
  use('pm_card_chargeDeclined', 'declines');
  expect(code(() => world.change('enterprise'))).toBe('payment_declined');
  expect(world.state()).toMatchObject({ payment: null, subscription: { plan: 'pro' } });
  expect(world.state().notices[0]).toMatchObject({ is_problem: true });

  use('pm_card_authenticationRequired', 'confirms');
  world.change('enterprise');
  expect(world.state().payment?.state).toBe('needs_confirmation');
  expect(code(() => world.change('enterprise'))).toBe('payment_running');
  world.settle();
  expect(person.user.plan).toBe('enterprise');

  use('pm_card_slow', 'later');
  world.change('starter');
  pass(hourMs);
  world.change('enterprise');
  expect(world.state().payment).toBeNull(); // the credit pays for it
});
