import { setTimeout as sleep } from 'node:timers/promises';
import type { Chance } from './random.ts';
import { allowed, type Slot } from './slot.ts';
import { startVisitors } from './visitor-thread.ts';

/** Below the gateway's limit for one address. */
const inFlightMost = 400;
const visitMs = 15_000;
const rememberedMost = 30;

export type Visits = ReturnType<typeof startVisits>;

/** The rate of the visits, the source of chance, and the signal that ends the run. */
type Pace = { perSecond: number; chance: Chance; signal: AbortSignal };

/** Visits random agents at a fixed rate through the gateway and judges each response. */
export function startVisits(port: number, slots: Slot[], { perSecond, chance: { next, pick }, signal }: Pace) {
  const visitors = startVisitors();
  const total = { visits: 0, wrong: 0, refused: 0, notSent: 0 };
  const wrong: string[] = [];
  let interval = emptyInterval();
  /** End and duration of each visit of the whole run. */
  const [endedAt, took]: [number[], number[]] = [[], []];
  let inFlight = 0;

  async function visit(slot: Slot) {
    const { project } = slot;
    if (!project) return;
    const [begun, before, settledBefore] = [performance.now(), allowed(slot), slot.settledAt];
    const { status, body, ms } = await visitors.visit(port, project.host, next() < 0.5);
    total.visits += 1;
    interval.latencies.push(ms);
    endedAt.push(Date.now());
    took.push(ms);
    interval.statuses[status] = (interval.statuses[status] ?? 0) + 1;
    const possible = before.union(allowed(slot));
    // While a project is deleted and created again, the only rule is that no other agent answers.
    const isRight = slot.project === project ? possible.has(body) : body.startsWith(`agent-${slot.index}-`);
    const mustAnswer = slot.project === project && settledBefore <= begun && slot.settledAt === settledBefore;
    if (status === 200 && !isRight) complain('wrong', `${project.host} answered ${body.slice(0, 60)}, not ${[...possible].join(' or ')}`);
    if (status !== 200 && mustAnswer)
      complain('refused', `${project.host}, which serves ${slot.current}, answered ${status} ${body.slice(0, 60)}`);
  }

  function complain(kind: 'wrong' | 'refused', what: string) {
    total[kind] += 1;
    if (wrong.length < rememberedMost) wrong.push(`${new Date().toISOString()} ${what}`);
  }

  async function loop() {
    const begun = performance.now();
    for (let sent = 0; !signal.aborted; sent++) {
      const wait = begun + (sent * 1000) / perSecond - performance.now();
      if (wait > 0) await sleep(wait);
      if (inFlight >= inFlightMost) {
        total.notSent += 1;
        continue;
      }
      inFlight += 1;
      void visit(pick(slots)).finally(() => (inFlight -= 1));
    }
    for (const until = performance.now() + visitMs; inFlight && performance.now() < until; ) await sleep(20);
    await visitors.close();
  }
  return {
    total,
    wrong,
    done: loop(),
    /** Returns the results since the last call. */
    takeInterval() {
      const { statuses, latencies } = interval;
      interval = emptyInterval();
      return { visits: latencies.length, statuses, p50_ms: quantile(latencies, 0.5), p99_ms: quantile(latencies, 0.99) };
    },
    /** p99 of the visits that ended in this span of time, in ms since 1970. */
    p99Between: (from: number, to: number) =>
      quantile(
        took.filter((_, index) => endedAt[index]! >= from && endedAt[index]! < to),
        0.99,
      ),
  };
}

function quantile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return Math.round((sorted[Math.floor(sorted.length * share)] ?? 0) * 10) / 10;
}

const emptyInterval = () => ({ statuses: {} as Record<number, number>, latencies: [] as number[] });
