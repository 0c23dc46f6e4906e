import type { ControlStatus } from '@paddock/contract';
import type { ControlFinding, Problem } from './control.ts';

interface Judged {
  /** Problems as sentences. A plain sentence breaks every clause of the control. */
  problems: readonly (string | Problem)[];
  /** The finding when there is no problem. */
  fine: string;
}
type Resource = Pick<ControlFinding, 'type' | 'id' | 'name' | 'evidence'> & { fix?: ControlFinding['fix'] };

/** A resource's finding: failed with its problems, else passed. */
export const toFinding = ({ fix = null, ...resource }: Resource, { problems, fine }: Judged): ControlFinding => {
  const all = problems.map((one) => (typeof one === 'string' ? { finding: one, clauses: null } : one));
  return {
    ...resource,
    status: (all.length > 0 ? 'failed' : 'passed') satisfies ControlStatus,
    finding: all.length > 0 ? findingOf(all) : fine,
    fix: all.length > 0 ? fix : null,
    ...(all.some(({ clauses }) => clauses !== null) ? { problems: all } : {}),
  };
};

/** The sentences of all problems as one text, without duplicates. */
export const findingOf = (problems: readonly Problem[]): string => [...new Set(problems.map(({ finding }) => finding))].join(' ');

export const plural = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;

export const dayMs = 86_400_000;
/** Whole days since then. */
export const daysSince = (time: string, now = Date.now()): number => Math.floor((now - Date.parse(time)) / dayMs);
