import { plural } from '@paddock/contract/plural';
import { dayMs, hourMs } from '@paddock/contract/time';
import type { ControlFinding, ControlResult, Problem } from './control.ts';

/** The checked subject. */
export type Subject = Pick<ControlFinding, 'type' | 'id' | 'name'>;
type Evidence = ControlFinding['evidence'];
/** Advice, and the page of the console where it is followed. */
export type Fix = { text: string; path?: string | null | undefined };
interface Details {
  evidence?: Evidence | undefined;
  fix: Fix | null;
}

export const installation: Subject = { type: 'installation', id: 'installation', name: null };

export const passed = ({ type, id, name }: Subject, finding: string, evidence: Evidence = null): ControlFinding => ({
  type,
  id,
  name,
  status: 'passed',
  finding,
  evidence,
  fix: null,
});

/** A problem given as a plain sentence breaks every clause of the control. */
export function failed(
  { type, id, name }: Subject,
  problems: string | readonly (string | Problem)[],
  { evidence = null, fix }: Details,
): ControlFinding {
  const list = typeof problems === 'string' ? [problems] : problems;
  const all = list.map((problem) => (typeof problem === 'string' ? { finding: problem, clauses: null } : problem));
  const finding = findingOf(all);
  const failure: ControlFinding = { type, id, name, status: 'failed', finding, evidence, fix: toFix(fix) };
  return all.some(({ clauses }) => clauses !== null) ? { ...failure, problems: all } : failure;
}

/** A subject that could not be checked, with advice how to make it visible. */
export const unverified = ({ type, id, name }: Subject, finding: string, { evidence = null, fix }: Details): ControlFinding => ({
  type,
  id,
  name,
  status: 'unverified',
  finding,
  evidence,
  fix: toFix(fix),
});

const toFix = (fix: Fix | null): ControlFinding['fix'] => fix && { text: fix.text, path: fix.path ?? null };

interface Judged {
  problems: readonly (string | Problem)[];
  /** The finding when there is no problem. */
  fine: string;
}

/** Failed with its problems, else passed. */
export const toFinding = (
  { evidence, fix = null, ...subject }: Subject & { evidence: Evidence; fix?: Fix | null },
  { problems, fine }: Judged,
): ControlFinding => (problems.length > 0 ? failed(subject, problems, { evidence, fix }) : passed(subject, fine, evidence));

/** The sentences of all problems as one text, without duplicates. */
export const findingOf = (problems: readonly Problem[]): string => [...new Set(problems.map(({ finding }) => finding))].join(' ');

/** The result of a control whose source is missing, or that nothing here can check. */
export const unverifiedResult = (looked_at: string, finding: string): ControlResult => ({
  looked_at,
  resources: [unverified(installation, finding, { fix: null })],
});

/** Whole days since then. */
export const daysSince = (time: string, now = Date.now()): number => Math.floor((now - Date.parse(time)) / dayMs);

/** How long ago, in words; times in the future count as now. */
export function agoText(at: string | Date, now: number): string {
  const hours = Math.max(0, now - new Date(at).getTime()) / hourMs;
  if (hours < 1) return `${plural(Math.floor(hours * 60), 'minute')} ago`;
  if (hours < 48) return `${plural(Math.floor(hours), 'hour')} ago`;
  return `${Math.floor(hours / 24)} days ago`;
}

export const within = (at: string | Date, ms: number, now: number): boolean => now - new Date(at).getTime() <= ms;
