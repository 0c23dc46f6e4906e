import { setTimeout as sleep } from 'node:timers/promises';
import type { World } from '../world.ts';
import { leakedCanaries } from './canaries.ts';
import { abandoned, lostWrites, wrongLines, wrongRoutes } from './database.ts';
import { grown, resourcesOf } from './resources.ts';
import { strayInstances } from './running.ts';

/** Longer than an agent may take to drain and to exit. */
const settleSeconds = 60;

/**
 * Returns every broken invariant. Those that need time (a drained agent exits, a connection closes) are polled. I6 to I8 (payments and
 * mails once, plan limits, audit) are not checked here.
 */
export async function brokenInvariants(world: World): Promise<string[]> {
  const settled = [
    () => strayInstances(world),
    () => abandoned(world),
    () => wrongRoutes(world),
    async () => grown(world.before, await resourcesOf(world)).map((what) => `I11: ${what}`),
  ];
  const broken: string[] = [];
  for (const look of settled) broken.push(...(await untilNone(look)));
  for (const look of [lostWrites, wrongLines, leakedCanaries]) broken.push(...(await look(world)));
  return broken;
}

/** Throws when an invariant is broken or the steady agent missed a visit; returns a summary of its visits. */
export async function checkInvariants(world: World): Promise<string> {
  const broken = await brokenInvariants(world);
  const { visits, longest_ms } = world.steady.visitor.check();
  const born = (await world.paddock.visit(world.steady.host, '/born')).body;
  if (born !== world.steady.born) broken.push('the steady agent is another process than before');
  if (broken.length) throw new Error(broken.join('; '));
  return `steady agent answered ${visits} of ${visits} (longest ${longest_ms} ms)`;
}

async function untilNone(look: () => Promise<string[]>): Promise<string[]> {
  let found = await look();
  for (const end = Date.now() + settleSeconds * 1000; found.length && Date.now() < end; found = await look()) await sleep(250);
  return found;
}
