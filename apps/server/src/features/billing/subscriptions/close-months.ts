import { chargedDays, countHours, type Days, type Quantities } from '@paddock/billing';
import { hourMs } from '@paddock/contract/time';
import { createIsolatedLoop } from '../../../jobs/isolated-loop.ts';
import type { Log } from '../../../log.ts';
import type { ApplyEvent } from './apply-event.ts';
import type { JobStore, Span } from './job-store.ts';
import type { DeliverOutbox } from './outbox.ts';

const teamsAtOnce = 500;

/** The interface of metering: months as '2026-11'. */
export interface MeteredUsage {
  /** The closed months, the oldest first. */
  closedMonths(): Promise<string[]>;
  /** Usage of a team in a month on whole UTC days from `from` until before `until`. */
  used(team_id: string, days: { from: Date; until: Date }): Promise<Quantities>;
  /** Late usage of earlier months that is counted in this one. */
  corrections(team_id: string, month: string): Promise<({ of_month: string } & Quantities)[]>;
}
interface Deps {
  jobs: JobStore;
  usage: MeteredUsage;
  applyEvent: ApplyEvent;
  deliverOutbox: DeliverOutbox;
  log: Log;
  now: () => Date;
}

/** Applies each month that metering closed to the accounts of teams that had a subscription in it, month by month. Idempotent. */
export function closeMonthsJob({ jobs, usage, applyEvent, deliverOutbox, log, now }: Deps): () => Promise<void> {
  const each = createIsolatedLoop(log, 'closing a month for a team');

  async function close(team_id: string, month: string, spans: readonly Span[]): Promise<void> {
    const quantities = await chargeable(usage, team_id, { month, spans });
    const event = { id: `month_closed ${month}`, at: now().getTime(), name: 'month_closed', month, quantities } as const;
    await applyEvent(team_id, { event: () => event });
  }

  return async () => {
    const months = await usage.closedMonths();
    const newest = months.at(-1);
    if (newest === undefined) return;
    await each(
      await jobs.teamsBehind({ month: newest, until: parseMonthBounds(newest).until }, teamsAtOnce),
      ({ team_id }) => team_id,
      async ({ team_id, closed_through }) => {
        const spans = await jobs.spans(team_id);
        // In order: when a month fails, the later ones wait.
        for (const month of months.filter((each) => closed_through === null || each > closed_through))
          if (spans.some((span) => isIn(month, span))) await close(team_id, month, spans);
        await deliverOutbox(team_id);
      },
    );
  };
}

interface Chargeable {
  month: string;
  spans: readonly Span[];
}

/** Usage on whole UTC days within subscriptions. A correction has no day: it counts if its whole month was subscribed. */
async function chargeable(usage: MeteredUsage, team_id: string, { month, spans }: Chargeable): Promise<Quantities> {
  const sum: Quantities = { compute: 0n, bandwidth: 0n, storage: 0n };
  const add = (more: Quantities) => {
    sum.compute += more.compute;
    sum.bandwidth += more.bandwidth;
    sum.storage += more.storage;
  };
  for (const days of spans.map((span) => chargedDays(month, span)))
    if (days) add(await usage.used(team_id, { from: new Date(days.from), until: new Date(days.until) }));
  for (const { of_month, ...more } of await usage.corrections(team_id, month))
    if (spans.some((span) => isWhole(of_month, chargedDays(of_month, span)))) add(more);
  return sum;
}

function isIn(month: string, { from, until }: Span): boolean {
  const bounds = parseMonthBounds(month);
  return from < bounds.until.getTime() && (until ?? Number.POSITIVE_INFINITY) > bounds.from.getTime();
}

const isWhole = (month: string, days: Days) => days !== undefined && days.until - days.from === countHours(month) * hourMs;

function parseMonthBounds(month: string): { from: Date; until: Date } {
  const from = new Date(`${month}-01T00:00:00Z`);
  return { from, until: new Date(from.getTime() + countHours(month) * hourMs) };
}
