import { shownText } from '@paddock/contract/terminal-text';
import type * as z from 'zod';

const maxShownLetters = 40;

/** The error for invalid settings: a sentence for a single problem, a list for several. */
export function wrongConfiguration(problems: string[]): Error {
  const [only = ''] = problems;
  return new Error(
    problems.length === 1
      ? `Wrong configuration: ${only}`
      : `Wrong configuration:\n${problems.map((problem) => `  ${problem}`).join('\n')}`,
  );
}

/** Describes the problem of a setting. Only numbers are quoted: any other value may be secret. */
export function settingProblem(issue: z.core.$ZodIssue, environment: Record<string, string | undefined>): string {
  const name = issue.path.join('.');
  const bound = numberBound(issue);
  return `${name}: ${bound === undefined ? issue.message : `${bound}, not “${shownText(environment[name] ?? '', maxShownLetters)}”`}`;
}

function numberBound(issue: z.core.$ZodIssue): string | undefined {
  if (issue.code === 'invalid_type' && ['number', 'int'].includes(issue.expected))
    return issue.expected === 'int' ? 'must be a whole number' : 'must be a number';
  if (issue.code === 'too_small' && isNumber(issue.origin)) return `must be at least ${issue.minimum}`;
  if (issue.code === 'too_big' && isNumber(issue.origin)) return `must be at most ${issue.maximum}`;
  return undefined;
}

const isNumber = (origin: string) => origin === 'number' || origin === 'int';
