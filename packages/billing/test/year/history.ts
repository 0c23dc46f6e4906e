import { type PlanId, plans } from '@paddock/contract/plans';
import { dayMs } from '@paddock/contract/time';
import { type Account, runningPeriod } from '../../src/account.ts';
import type { BillingEvent } from '../../src/events.ts';
import type { Instant } from '../../src/period.ts';
import { chargedDays, type Month, type Quantities, usageKinds } from '../../src/usage.ts';

/** `unpaid`: milliseconds at its end that no paid period covers, because a timer fired late or the last period was reversed. */
export type Span = { from: Instant; until: Instant | null; periods: number; unpaid: number };

/** An independent record of one team. It calculates simply, with floating point and days, and is compared with the cents afterwards. */
export function history(usageOn: (day: Instant) => Quantities) {
  const spans: Span[] = [];
  let dollars = 0;
  let switches = 0;
  let renewed = 0;
  let quoted: { from: PlanId; to: PlanId; at: Instant } | undefined;
  const used: Quantities = { compute: 0n, bandwidth: 0n, storage: 0n };

  const price = (plan: PlanId) => plans[plan].price_cents / 100;
  const share = (account: Account, at: Instant) => {
    const { start, end } = runningPeriod(account)!;
    return Math.max(0, Math.floor((end - at) / 1000)) / ((end - start) / 1000);
  };
  return {
    spans,
    used,
    dollars: () => dollars,
    switches: () => switches,
    note(before: Account, after: Account, event: BillingEvent): void {
      if (before.anchor === null && after.anchor !== null) {
        spans.push({ from: after.anchor, until: null, periods: 1, unpaid: 0 });
        dollars += price(after.plan!);
      } else if (before.anchor !== null && after.period > before.period) {
        spans.at(-1)!.periods++;
        renewed = price(before.plan!);
        dollars += renewed;
      }
      if (event.name === 'switch' && before.plan) quoted = { from: before.plan, to: event.plan, at: event.at };
      if (before.plan && after.plan && before.plan !== after.plan) {
        const { from, to, at } = quoted!;
        dollars += (price(to) - price(from)) * share(before, at);
        switches++;
      }
      if (before.anchor !== null && after.anchor === null) {
        const paidUntil = event.name === 'period_ended' ? runningPeriod(before)!.end : runningPeriod(before)!.start;
        Object.assign(spans.at(-1)!, { until: event.at, unpaid: event.at - paidUntil });
        // The subscription did not end with a paid period, so the unpaid period was reversed.
        if (event.name !== 'period_ended') dollars -= renewed;
      }
    },
    /** The usage of a month on the days of subscriptions. */
    close(month: Month): Quantities {
      const sum: Quantities = { compute: 0n, bandwidth: 0n, storage: 0n };
      for (const span of spans) {
        const days = chargedDays(month, span);
        for (let day = days?.from ?? 0; days && day < days.until; day += dayMs) {
          for (const kind of usageKinds) sum[kind] += usageOn(day)[kind];
        }
      }
      for (const kind of usageKinds) used[kind] += sum[kind];
      return sum;
    },
  };
}
export type History = ReturnType<typeof history>;
