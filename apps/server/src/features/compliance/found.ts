import type { ControlStatus } from '@paddock/contract';
import type { Found } from './control.ts';

interface Judged {
  /** What is wrong, as sentences. */
  problems: readonly string[];
  /** What is said where nothing is wrong. */
  fine: string;
}
type Resource = Pick<Found, 'type' | 'id' | 'name' | 'evidence'> & { fix?: Found['fix'] };

/** A resource with what is wrong with it; it passed where nothing is. */
export const judged = ({ fix = null, ...resource }: Resource, { problems, fine }: Judged): Found => ({
  ...resource,
  status: (problems.length > 0 ? 'failed' : 'passed') satisfies ControlStatus,
  finding: problems.length > 0 ? problems.join(' ') : fine,
  fix: problems.length > 0 ? fix : null,
});

export const plural = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;

export const dayMs = 86_400_000;
/** Whole days since then. */
export const daysSince = (time: string, now = Date.now()): number => Math.floor((now - Date.parse(time)) / dayMs);
