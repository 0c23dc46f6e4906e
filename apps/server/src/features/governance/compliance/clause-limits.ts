import { type ControlFacts, type ControlId, citeClause, controls, type FrameworkId, frameworkIds } from '@paddock/contract';
import type { Clause, Problem } from './control.ts';

/** A limit and its clauses. Without `cited` the clauses name no number, and the limit is Paddock's own. */
export interface ClauseLimit {
  limit: number;
  clauses: readonly Clause[];
  cited?: string;
}

const hoursOfDays = (days: number) => days * 24;

/** Paddock's reading of clauses that ask for regularity without naming a period. */
const yearDays = 365;

const setBy = (framework: FrameworkId, clause: string, limit: number): ClauseLimit => ({
  limit,
  clauses: [{ framework, clause }],
  cited: citeClause(framework, clause),
});

/** A limit for a clause that asks for a period but leaves its length open: the number is Paddock's. */
const ownFor = (framework: FrameworkId, clause: string, limit: number): ClauseLimit => ({ limit, clauses: [{ framework, clause }] });

const listClauses = (control: ControlId, keep: (framework: FrameworkId) => boolean): Clause[] => {
  const { clauses }: ControlFacts = controls[control];
  return frameworkIds.filter(keep).flatMap((framework) => (clauses[framework] ?? []).map((clause) => ({ framework, clause })));
};

/** All clauses that a control answers, except those of these frameworks. */
export const clausesBut = (control: ControlId, ...frameworks: FrameworkId[]): Clause[] =>
  listClauses(control, (framework) => !frameworks.includes(framework));

const ownBut = (control: ControlId, frameworks: FrameworkId[], limit: number): ClauseLimit => ({
  limit,
  clauses: clausesBut(control, ...frameworks),
});

/**
 * The limits that decide findings, with their clauses. PCI DSS numbers bind PCI DSS alone. Controls not listed have no limit that differs
 * between frameworks.
 */
export const clauseLimits = {
  'KEY-01': { ageDays: [ownFor('pci-dss', '3.7.4', yearDays)] },
  'KEY-02': {
    ageDays: [ownFor('pci-dss', '8.6.3', 90), ownBut('KEY-02', ['pci-dss'], yearDays)],
    idleDays: [setBy('pci-dss', '8.2.6', 90), ownBut('KEY-02', ['pci-dss'], yearDays)],
  },
  'IAM-03': { letters: [setBy('pci-dss', '8.3.6', 12), ownBut('IAM-03', ['pci-dss'], 8)] },
  'IAM-04': { attempts: [setBy('pci-dss', '8.3.4', 10)], lockMinutes: [setBy('pci-dss', '8.3.4', 30)] },
  'IAM-05': { idleMinutes: [setBy('pci-dss', '8.2.8', 15)] },
  'IAM-06': { ageDays: [setBy('pci-dss', '7.2.4', 180), ownBut('IAM-06', ['pci-dss'], yearDays)] },
  'IAM-07': { unseenDays: [setBy('pci-dss', '8.2.6', 90), ownBut('IAM-07', ['pci-dss'], yearDays)] },
  'AUD-03': { keptDays: [setBy('pci-dss', '10.5.1', yearDays), setBy('hipaa', '316(b)(2)(i)', 6 * yearDays)] },
  'DSR-01': { openDays: [setBy('gdpr', '12(3)', 30), setBy('ccpa', '130(a)(2)', 45), ownBut('DSR-01', ['gdpr', 'ccpa'], 30)] },
  'VUL-01': { fixDays: [setBy('pci-dss', '6.3.3', 30), ownBut('VUL-01', ['pci-dss'], 90)] },
  'INC-01': {
    openHours: [
      setBy('gdpr', '33(1)', 72),
      // The 60 days are of § 164.404, which no control answers.
      ownFor('hipaa', '308(a)(6)(ii)', hoursOfDays(60)),
      ownBut('INC-01', ['gdpr', 'hipaa'], hoursOfDays(14)),
    ],
  },
} as const satisfies Partial<Record<ControlId, Record<string, readonly ClauseLimit[]>>>;

/** The smallest of these limits: a value within it breaks none. */
export const strictestMax = (limits: readonly ClauseLimit[]): number => Math.min(...limits.map(({ limit }) => limit));

type Sentence = (limit: { limit: string; by: string }) => string;

/** A problem for each limit that a value is above, in the words of its own clauses. */
export const above = (limits: readonly ClauseLimit[], value: number, sentence: Sentence): Problem[] =>
  limits.filter(({ limit }) => value > limit).map((limit) => toProblem(limit, sentence));

/** A problem for each limit that a value does not reach. */
export const below = (limits: readonly ClauseLimit[], value: number, sentence: Sentence): Problem[] =>
  limits.filter(({ limit }) => value < limit).map((limit) => toProblem(limit, sentence));

const toProblem = ({ limit, clauses, cited = 'Paddock by its own default' }: ClauseLimit, sentence: Sentence): Problem => ({
  finding: sentence({ limit: limit.toLocaleString('en'), by: cited }),
  clauses,
});
