import type { BillingEvent, Quantities } from '@paddock/billing';
import { type PlanId, plans } from '@paddock/contract/plans';
import { dayMs, hourMs } from '@paddock/contract/time';
import { connect, type Sql } from '../../apps/server/src/db/connect.ts';
import { billingFeature } from '../../apps/server/src/features/billing/subscriptions/feature.ts';
import { accountStore } from '../../apps/server/src/features/billing/subscriptions/store.ts';
import { createLog } from '../../apps/server/src/log.ts';
import { testDatabase } from '../../apps/server/test/postgres.ts';
import { runJob } from '../../apps/server/test/run-job.ts';
import { type Chance, chance } from '../../packages/billing/test/year/chance.ts';
import { clock } from '../../packages/billing/test/year/clock.ts';
import { bank } from './bank.ts';

const start = Date.parse('2027-10-15T00:00:00Z'); // the year has a leap day and every month's end
const end = start + 366 * dayMs;
/** New events stop at `end`. Work in progress may finish until here. */
const settled = end + 45 * dayMs;
/** Outages of the whole platform. One is longer than a billing period. */
const outages = [
  [start + 100 * dayMs, start + 109 * dayMs],
  [start + 200 * dayMs, start + 245 * dayMs],
] as const;
const planIds = Object.keys(plans) as PlanId[];

class Crash extends Error {}

/** A year of teams over the server's store, in a database of its own. All randomness follows from the seed, except the ids of rows. */
export async function liveYear(seed: number, { teams: count }: { teams: number }) {
  const random = chance(seed);
  const time = clock(start);
  const database = await testDatabase();
  const sql = connect(database.url, { max: 4 });
  const teams = Array.from({ length: count }, (_, n) => ({ id: `team_${n + 1}`, declines: random.oneOf([0.05, 0.2, 0.2, 0.8]) }));
  const usage = usageOf(seed, () => time.now());
  const crashes = { seen: 0 };
  const crashing = (share: number) => {
    if (!random.happens(share)) return;
    crashes.seen++;
    throw new Crash();
  };
  const work: (() => Promise<unknown>)[] = [];
  const later = (ms: number, run: () => Promise<unknown>) => {
    const wanted = time.now() + ms;
    const outage = outages.find(([from, until]) => wanted >= from && wanted < until);
    time.at(outage ? outage[1] + random.below(2 * hourMs) : wanted, () => void work.push(run));
  };
  const provider = bank({
    random,
    later,
    hint: (team_id, invoice_id) => quietly(billing.exports.onWebhookEvent({ id: 'evt', about: 'payment', team_id, invoice_id })),
    declines: (team_id) => teams.find(({ id }) => id === team_id)!.declines,
  });
  // Both functions run inside the transaction: an error from either leaves the same state as a server that dies there.
  const terms = () => {
    crashing(0.03);
    return { tax_basis_points: 1_900, seller: {} };
  };
  const sendMail = async () => crashing(0.03);
  const parts = { sql, log: createLog('silent'), sendMail, config: { publicUrl: 'http://localhost:4000' } };
  const billing = billingFeature(parts, { provider: provider.provider, terms, usage, now: () => new Date(time.now()) });
  const world: World = { random, sql, later, billing, now: () => time.now() };
  await makeTeams(sql, teams);
  for (const team of teams) later(random.below(30 * dayMs), () => act(team, world, 1));
  later(0, () => tick(teams, world));
  while (time.next(settled)) for (const run of work.splice(0)) await run();
  return {
    teams,
    sql,
    usage,
    cash: provider.cash,
    crashes: crashes.seen,
    now: () => time.now(),
    read: accountStore(sql).read,
    async close() {
      await sql.end();
      await database.drop();
    },
  };
}
export type Year = Awaited<ReturnType<typeof liveYear>>;

interface World {
  random: Chance;
  sql: Sql;
  later: (ms: number, run: () => Promise<unknown>) => void;
  billing: ReturnType<typeof billingFeature>;
  now: () => number;
}

/** Ignores crashes and an unavailable provider: the jobs finish that work. */
const quietly = (done: Promise<unknown>): Promise<void> => done.then(() => undefined, only);
function only(error: unknown): void {
  if (!(error instanceof Crash) && (error as Error).name !== 'PaymentUnavailable') throw error;
}

async function tick(teams: readonly { id: string }[], world: World): Promise<void> {
  const { billing, random, later } = world;
  // Sequential, unlike the job that delivers: random numbers must be drawn in the same order each time.
  for (const { id } of teams) await billing.exports.deliverOutbox(id);
  for (const name of ['close-months', 'ring', 'look']) await runJob({ billing }, `billing.${name}`);
  later(hourMs + random.below(4 * hourMs), () => tick(teams, world));
}

async function act(team: { id: string; declines: number }, world: World, n: number): Promise<void> {
  const { random, billing, now, later, sql } = world;
  if (now() >= end) return;
  const { account } = await accountStore(sql).read(team.id);
  const wanted = nextAct(account.status, random);
  if (wanted.name === 'payment_method_changed') team.declines = random.oneOf([0, 0.2, 0.8]);
  const event = { id: `act_${n}`, at: now(), ...wanted } as BillingEvent;
  // After a crash the person retries with the same key. Some requests arrive twice, or again with another key.
  const ids = [event.id, ...(random.happens(0.1) ? [event.id] : []), ...(random.happens(0.05) ? [`${event.id} again`] : [])];
  for (const id of ids) {
    for (let isDone = false; !isDone; ) {
      isDone = await billing.exports.applyEvent(team.id, { event: () => ({ ...event, id }) }).then(
        () => true,
        (error: unknown) => (only(error), false),
      );
    }
    await billing.exports.deliverOutbox(team.id);
  }
  later(random.below(random.oneOf([3 * hourMs, 2 * dayMs, 20 * dayMs])), () => act(team, world, n + 1));
}

function nextAct(status: string, random: Chance) {
  const plan = random.oneOf(planIds);
  if (random.happens(0.1)) return { name: random.oneOf(['cancel', 'undo_cancel', 'debt_written_off'] as const) };
  if (status === 'none') return { name: 'select' as const, plan };
  if ((status === 'cancelling' || status === 'resuming') && random.happens(0.25)) return { name: 'undo_cancel' as const };
  if ((status === 'past_due' || status === 'owing') && random.happens(0.5)) return { name: 'payment_method_changed' as const };
  return random.happens(0.15) ? { name: 'cancel' as const } : { name: 'switch' as const, plan };
}

/** Usage as metering would report it: each team has usage on each day, and a month is closed six hours after its end. */
function usageOf(seed: number, now: () => number) {
  const onDay = (team_id: string, day: number): Quantities => {
    const own = chance(seed + day / dayMs + Number(team_id.slice(5)) * 1_000_003);
    return {
      compute: BigInt(own.below(3 * 86_400)),
      bandwidth: BigInt(own.below(2 ** 31)) * BigInt(own.below(90)),
      storage: own.happens(0.5) ? BigInt(own.below(2 ** 31)) * 24n * BigInt(own.below(30)) : 0n,
    };
  };
  return {
    onDay,
    async closedMonths() {
      const months = Array.from({ length: 16 }, (_, n) => new Date(Date.UTC(2027, 9 + n, 1)).toISOString().slice(0, 7));
      return months.filter((_, n) => Date.UTC(2027, 10 + n, 1) + 6 * hourMs <= now());
    },
    async used(team_id: string, { from, until }: { from: Date; until: Date }): Promise<Quantities> {
      const sum: Quantities = { compute: 0n, bandwidth: 0n, storage: 0n };
      for (let day = from.getTime(); day < until.getTime(); day += dayMs) {
        const one = onDay(team_id, day);
        for (const kind of ['compute', 'bandwidth', 'storage'] as const) sum[kind] += one[kind];
      }
      return sum;
    },
    corrections: async () => [],
  };
}

async function makeTeams(sql: Sql, teams: readonly { id: string }[]): Promise<void> {
  for (const { id } of teams) {
    await sql`insert into teams (id, name) values (${id}, ${id})`;
    await sql`insert into users (id, email, name) values (${`usr_${id}`}, ${`${id}@example.com`}, ${id})`;
    await sql`insert into team_members (team_id, user_id) values (${id}, ${`usr_${id}`})`;
    await sql`insert into billing_customers (team_id, provider, customer_id, payment_method)
      values (${id}, 'test', ${`cus_${id}`}, ${sql.json({ id: 'pm_card_visa', brand: 'visa', last4: null, exp_month: null, exp_year: null })})`;
  }
}
