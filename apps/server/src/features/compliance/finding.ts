import type { ControlStatus } from '@paddock/contract';
import type { ControlFinding, Problem } from './control.ts';

interface Judged {
  /** What is wrong, as sentences; a sentence alone breaks every clause that the control answers. */
  problems: readonly (string | Problem)[];
  /** What is said where nothing is wrong. */
  fine: string;
}
type Resource = Pick<ControlFinding, 'type' | 'id' | 'name' | 'evidence'> & { fix?: ControlFinding['fix'] };

/** A resource with what is wrong with it; it passed where nothing is. */
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

/** The sentences of problems as one text, each once. */
export const findingOf = (problems: readonly Problem[]): string => [...new Set(problems.map(({ finding }) => finding))].join(' ');

export const plural = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;

export const dayMs = 86_400_000;
/** Whole days since then. */
export const daysSince = (time: string, now = Date.now()): number => Math.floor((now - Date.parse(time)) / dayMs);
