import { type ControlFacts, type ControlId, citeClause, controls, type FrameworkId, frameworkIds, frameworks } from '@paddock/contract';
import type { ControlFinding, Problem } from './control.ts';
import { findingOf } from './finding.ts';

/** A resource from the view of one framework, or of all, with the clauses that it breaks. */
export type Viewed = Omit<ControlFinding, 'problems'> & { clauses: string[] };

const answered = (control: ControlId): ControlFacts['clauses'] => controls[control].clauses;

/** The clauses that a control answers, of one framework or of all. */
export const listClauses = (control: ControlId, framework?: FrameworkId): readonly { framework: FrameworkId; clause: string }[] =>
  frameworkIds
    .filter((id) => framework === undefined || id === framework)
    .flatMap((id) => (answered(control)[id] ?? []).map((clause) => ({ framework: id, clause })));

const problemsOf = ({ finding, problems }: Pick<ControlFinding, 'finding' | 'problems'>): readonly Problem[] =>
  problems ?? [{ finding, clauses: null }];

/** Whether a problem breaks a clause of the framework, or of any without one. */
const counts = ({ clauses }: Problem, framework: FrameworkId | undefined): boolean =>
  framework === undefined || clauses === null || clauses.some((one) => one.framework === framework);

/** Whether the finding breaks a clause of the framework. */
export const isFailedBy = (found: Pick<ControlFinding, 'status' | 'finding' | 'problems'>, framework: FrameworkId): boolean =>
  found.status === 'failed' && problemsOf(found).some((problem) => counts(problem, framework));

/** A finding in a framework's view. A failure only by the limits of other frameworks' clauses is a pass here. */
export function viewFinding(control: ControlId, { problems, ...found }: ControlFinding, framework: FrameworkId | undefined): Viewed {
  if (found.status !== 'failed') return { ...found, clauses: [] };
  const own = problemsOf({ ...found, problems }).filter((problem) => counts(problem, framework));
  if (own.length === 0)
    return {
      ...found,
      status: 'passed',
      finding: `Within what ${framework === undefined ? 'the frameworks ask' : `${frameworks[framework].name} asks`} for.`,
      fix: null,
      clauses: [],
    };
  const all = listClauses(control, framework);
  const broken = own.some(({ clauses }) => clauses === null)
    ? all
    : all.filter(({ framework: of, clause }) =>
        own.some(({ clauses }) => clauses?.some((one) => one.framework === of && one.clause === clause)),
      );
  return {
    ...found,
    finding: problems ? findingOf(own) : found.finding,
    clauses: broken.map((one) => citeClause(one.framework, one.clause)),
  };
}
