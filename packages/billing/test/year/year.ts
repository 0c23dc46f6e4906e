import { planIds } from '@paddock/contract/plans';
import { dayMs, hourMs } from '@paddock/contract/time';
import { runningPeriod } from '../../src/account.ts';
import type { BillingEvent } from '../../src/events.ts';
import type { Instant } from '../../src/period.ts';
import type { Month, Quantities } from '../../src/usage.ts';
import { type Chance, chance } from './chance.ts';
import { type Clock, clock } from './clock.ts';
import { type History, history } from './history.ts';
import { provider } from './provider.ts';
import { type Server, server } from './server.ts';

const start = Date.parse('2027-10-15T00:00:00Z'); // the year has a leap day and every month's end
const end = start + 366 * dayMs;
/** Users stop at the end. Timers fire until here; afterwards only events in progress arrive. */
const settled = end + 40 * dayMs;
/** Outages of the whole platform, one longer than a period: no user acts, no timer fires, no event is accepted. */
const outages: [Instant, Instant][] = [
  [start + 100 * dayMs, start + 109 * dayMs],
  [start + 200 * dayMs, start + 245 * dayMs],
];

export interface Team {
  id: string;
  /** The share of payments that the card of the team declines. */
  declines: number;
  history: History;
}
export interface Year {
  teams: Team[];
  server: Server;
  cash: (team_id: string) => number;
  end: Instant;
}

/** A year of many teams: everything random follows from the seed. */
export function liveYear(seed: number, { teams: count }: { teams: number }): Year {
  const random = chance(seed);
  const time = clock(start);
  const teams = Array.from({ length: count }, (_, index) => newTeam(`team_${index + 1}`, seed + index, random));
  const known = new Map(teams.map((team) => [team.id, team]));
  const bank = provider({
    random,
    clock: patient(time, random),
    tell: (team_id, event) => office.handle(team_id, event),
    declines: (team_id) => known.get(team_id)!.declines,
  });
  const office = server({
    random,
    clock: patient(time, random),
    take: bank.take,
    timersUntil: settled,
    noted: (before, after, event) => known.get(after.team_id)!.history.note(before, after, event),
  });
  const world = { random, clock: patient(time, random), office };
  for (const team of teams) live(team, world);
  while (time.next(Number.POSITIVE_INFINITY));
  return { teams, server: office, cash: bank.cash, end: settled };
}

function newTeam(id: string, seed: number, random: Chance): Team {
  const days = new Map<Instant, Quantities>();
  const own = chance(seed);
  const usageOn = (day: Instant) => {
    const known = days.get(day) ?? {
      compute: BigInt(own.below(3 * 86_400)),
      bandwidth: BigInt(own.below(2 ** 31)) * BigInt(own.below(90)),
      storage: own.happens(0.5) ? BigInt(own.below(2 ** 31)) * 24n * BigInt(own.below(30)) : 0n,
    };
    days.set(day, known);
    return known;
  };
  return { id, declines: random.oneOf([0.05, 0.2, 0.2, 0.8]), history: history(usageOn) };
}

/** A clock that delays appointments in an outage until some time after it. */
function patient(time: Clock, random: Chance): Clock {
  const outageAt = (at: Instant) => outages.find(([from, until]) => at >= from && at < until);
  const at = (wanted: Instant, run: (at: Instant) => void) => {
    const outage = outageAt(Math.max(wanted, time.now()));
    time.at(outage ? outage[1] + random.below(2 * hourMs) : wanted, run);
  };
  return { ...time, at };
}

type World = { random: Chance; clock: Clock; office: Server };

function live(team: Team, world: World): void {
  const { random, clock: time } = world;
  let acted = 0;
  const act = (at: Instant) => {
    if (at >= end) return;
    const event = nextAct(team, { world, at, id: `act_${++acted}` });
    world.office.handle(team.id, event);
    // A double click, and a repeated request with another id.
    if (random.happens(0.1)) world.office.handle(team.id, event);
    if (random.happens(0.05)) world.office.handle(team.id, { ...event, id: `${event.id} again` });
    // Some users reverse their cancellation on the last day of the period.
    const account = world.office.accountOf(team.id);
    const periodEnd = account.status === 'cancelling' && random.happens(0.5) ? runningPeriod(account)?.end : undefined;
    const pause = random.below(random.oneOf([3 * hourMs, 2 * dayMs, 20 * dayMs]));
    time.at(periodEnd === undefined ? at + pause : Math.max(at, periodEnd - random.below(dayMs)), act);
  };
  time.at(start + random.below(30 * dayMs), act);
  for (const { month, closes } of months()) {
    time.at(closes, (at) =>
      world.office.handle(team.id, { id: `closed ${month}`, at, name: 'month_closed', month, quantities: team.history.close(month) }),
    );
  }
}

function nextAct(team: Team, { world, at, id }: { world: World; at: Instant; id: string }): BillingEvent {
  const { random, office } = world;
  const { status } = office.accountOf(team.id);
  const plan = random.oneOf(planIds);
  if (random.happens(0.1)) return { id, at, name: random.oneOf(['cancel', 'undo_cancel', 'debt_written_off'] as const) };
  if (status === 'none') return { id, at, name: 'select', plan };
  if ((status === 'cancelling' || status === 'resuming') && random.happens(0.25)) return { id, at, name: 'undo_cancel' };
  if ((status === 'past_due' || status === 'owing') && random.happens(0.5)) {
    team.declines = random.oneOf([0, 0.2, 0.8]);
    return { id, at, name: 'payment_method_changed' };
  }
  return random.happens(0.15) ? { id, at, name: 'cancel' } : { id, at, name: 'switch', plan };
}

/** Months are closed in order, a few hours after their end. */
function months(): { month: Month; closes: Instant }[] {
  return Array.from({ length: 14 }, (_, index) => {
    const first = new Date(Date.UTC(2027, 9 + index, 1));
    return { month: first.toISOString().slice(0, 7), closes: Date.UTC(2027, 10 + index, 1) + 6 * hourMs };
  });
}
