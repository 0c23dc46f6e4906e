import { setTimeout as sleep } from 'node:timers/promises';
import type { Attack } from './attack.ts';
import { type Cores, watchCores } from './cores.ts';
import type { Ground } from './ground.ts';
import type { Visits } from './visits.ts';

/** The neighbour's visits before, during and after an attack. */
export interface AttackMeasurement {
  attack: Attack;
  quiet: { p50: number; p99: number };
  during: Visits;
  /** The ratio of each measured p99 to the quiet one. The lowest belongs to `during` and counts. */
  ratios: number[];
  failed: string[];
  cores: Cores;
  /** The attack's own summary. */
  done: string;
}

export interface Windows {
  quietMs: number;
  attackMs: number;
}

/** Time limit of an attack that ends by itself. */
const maxMs = 20_000;
/** The promised maximum ratio of the p99 during an attack to the p99 without it. */
export const promise = 2;
/** A p99 below this is unnoticeable: the second verdict accepts it whatever the ratio is. */
export const floorMs = 5;

/** Other programs left the generator almost no processor time, so a verdict would say nothing about the attack. */
export const isStarved = ({ attack, cores }: AttackMeasurement) => !attack.isByAgent && cores.rest > 1 && cores.generator < 0.1;
export const isWithinTwice = ({ ratios }: Pick<AttackMeasurement, 'ratios'>) => Math.min(...ratios) <= promise;
export const isHeld = (one: AttackMeasurement) => one.failed.length === 0 && isWithinTwice(one);
export const isHeldOrFast = (one: AttackMeasurement) => isHeld(one) || (one.failed.length === 0 && one.during.p99 < floorMs);

/** Measures quiet, attack, quiet. The first quiet phase may be the last one of the previous attack. */
export async function measureUnderAttack(
  ground: Ground,
  attack: Attack,
  by: Windows & { before?: Visits },
): Promise<{ row: AttackMeasurement; after: Visits }> {
  const { visitor } = ground;
  const ready = await attack.prepare(ground);
  await untilCalm(ground);
  const before = by.before ?? (await visitor.during(by.quietMs));
  const cores = watchCores(ground, ready.generatorPid);
  visitor.begin();
  ready.begin();
  await sleep(by.attackMs);
  if (ready.isDone) await Promise.race([ready.isDone(), sleep(maxMs)]);
  const during = await visitor.end();
  const used = await cores.end();
  const done = await ready.end();
  await untilCalm(ground);
  const after = await visitor.during(by.quietMs);
  const quiet = { p50: (before.p50 + after.p50) / 2, p99: (before.p99 + after.p99) / 2 };
  const failed = [...before.failed.map((why) => `before: ${why}`), ...during.failed, ...after.failed.map((why) => `after: ${why}`)];
  return { row: { attack, quiet, during, ratios: [during.p99 / quiet.p99], failed, cores: used, done }, after };
}

/**
 * Waits until platform and hostile agents are idle and the neighbour answers again: the work that an attack leaves behind is not quiet.
 * Other programs on the machine get some seconds to end.
 */
async function untilCalm({ paddock, neighbour, ...ground }: Ground): Promise<void> {
  for (let looks = 0; looks < 100; looks++) {
    const cores = watchCores({ paddock, neighbour, ...ground });
    await sleep(250);
    const { gateway, server, database, hostile, rest } = await cores.end();
    if (gateway + server + database + hostile > 0.2 || (rest > 0.4 && looks < 6)) continue;
    const begun = performance.now();
    const answer = await paddock.visit(neighbour.host, '/', {}, 1_000).catch(() => undefined);
    if (answer?.status === 200 && performance.now() - begun < 200) return;
  }
}
