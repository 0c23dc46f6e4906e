import type { ControlResource } from '@paddock/contract';
import type { ControlFinding } from '../../control.ts';

/** The checked subject. */
export type Subject = Pick<ControlResource, 'type' | 'id' | 'name'>;

export const installation: Subject = { type: 'installation', id: 'installation', name: null };

interface Seen {
  finding: string;
  evidence?: ControlResource['evidence'];
}
interface FindingInput extends Seen {
  fix: { text: string; path?: string };
}

export const passed = ({ type, id, name }: Subject, { finding, evidence = null }: Seen): ControlFinding => ({
  type,
  id,
  name,
  status: 'passed',
  finding,
  evidence,
  fix: null,
});

const createFinding =
  (status: 'failed' | 'unverified') =>
  ({ type, id, name }: Subject, { finding, evidence = null, fix }: FindingInput): ControlFinding => ({
    type,
    id,
    name,
    status,
    finding,
    evidence,
    fix: { text: fix.text, path: fix.path ?? null },
  });

export const failed = createFinding('failed');
/** A subject that could not be checked, with advice how to make it visible. */
export const unverified = createFinding('unverified');

/** `1 value`, `2 values`. */
export const countText = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;

const hourMs = 3_600_000;

/** How long ago, in words; times in the future count as now. */
export function agoText(at: string | Date, now: number): string {
  const hours = Math.max(0, now - new Date(at).getTime()) / hourMs;
  if (hours < 1) return `${countText(Math.floor(hours * 60), 'minute')} ago`;
  if (hours < 48) return `${countText(Math.floor(hours), 'hour')} ago`;
  return `${Math.floor(hours / 24)} days ago`;
}

export const within = (at: string | Date, ms: number, now: number): boolean => now - new Date(at).getTime() <= ms;
export const dayMs = 24 * hourMs;
