import { setImmediate as breathe } from 'node:timers/promises';
import semver from 'semver';
import type { LockedPackage, LockNode } from './lock-tree.ts';

/** The platform on which the packages will run. */
export interface Target {
  os: string;
  cpu: string;
  libc: string;
  node: string;
  npm: string;
}

/** Comparing this many takes some 10 ms. */
const atOnce = 300;

/**
 * The optional packages that do not support this platform, the packages that require them, and the packages required only by these: npm
 * leaves them out. Undefined if a required package does not support the platform, which npm refuses or warns about.
 */
export async function leftOut(nodes: Map<string, LockNode>, target: Target): Promise<Set<LockNode> | undefined> {
  const unfit: LockNode[] = [];
  let seen = 0;
  for (const node of nodes.values()) {
    if (++seen % atOnce === 0) await breathe();
    if (node.path !== '' && !runsOn(node.entry, target)) unfit.push(node);
  }
  if (unfit.some(({ entry }) => !entry.optional)) return undefined;
  const left = new Set(unfit);
  for (const one of left) for (const { from, isOptional } of one.dependents) if (!isOptional) left.add(from);
  const requiring = new Set(left);
  for (const one of left) for (const { to } of one.dependencies) left.add(to);
  for (let isStable = false; !isStable; ) {
    isStable = true;
    for (const one of left) {
      if (requiring.has(one) || one.dependents.every(({ from }) => left.has(from))) continue;
      left.delete(one);
      isStable = false;
    }
  }
  return left;
}

function runsOn({ os, cpu, libc, engines }: LockedPackage, target: Target): boolean {
  const fits = (list: string[] | undefined, value: string) => list === undefined || isListed(list, value);
  return fits(os, target.os) && fits(cpu, target.cpu) && fits(libc, target.libc) && fitsEngines(engines, target);
}

/** Whether the list does not negate the value (`!value`) and, if it has names without `!`, contains it. */
function isListed(given: string[] | string, value: string): boolean {
  const list = typeof given === 'string' ? [given] : given;
  if (list.length === 1 && list[0] === 'any') return true;
  const refused = list.filter((name) => name.startsWith('!'));
  return !refused.includes(`!${value}`) && (refused.length === list.length || list.includes(value));
}

const fitsEngines = (engines: LockedPackage['engines'], { node, npm }: Target) =>
  fitsRange(engines?.node, node) && fitsRange(engines?.npm, npm);

const fitsRange = (range: string | undefined, version: string) =>
  typeof range !== 'string' || range.length > 256 || semver.satisfies(version, range, { includePrerelease: true });
