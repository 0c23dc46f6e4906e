import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { consoleTestFiles, nodeTestFiles, specFiles } from './files.ts';
import type { FileTime, StageTime } from './times.ts';

/** The budget of a stage's tests. `measured_s` and `files` are from the last recorded run. */
const Budget = z.strictObject({
  /** Processor seconds of a whole run in its usual size, on the machine that records. */
  budget_s: z.number().int().positive(),
  measured_s: z.number().int().nonnegative(),
  /** Number of test files at that time. */
  files: z.number().int().nonnegative(),
  /** The reason for this budget. */
  reason: z.string().min(10),
});
const Budgets = z.record(z.string(), Budget);
export type Budgets = z.infer<typeof Budgets>;

const PATH = join(import.meta.dirname, 'budget.json');
/** A stage is over its budget when it takes a tenth more; runs vary by less. */
const MAX_SHARE = 1.1;
const MAX_TOLD_FILES = 10;

export const readBudgets = (): Budgets => Budgets.parse(JSON.parse(readFileSync(PATH, 'utf8')));

/** The current number of test files of each stage; the checks have none. */
export const fileCounts = (): Record<string, number> => ({
  Check: 0,
  'Browser tests': specFiles().length,
  'Console tests': consoleTestFiles().length,
  'Node tests': nodeTestFiles().length,
});

const isOver = (seconds: number, { budget_s }: Budgets[string]) => seconds > budget_s * MAX_SHARE;

/** The stages of a whole run that are over their budget, with the most expensive files. Empty if there are none. */
export function overBudget(budgets: Budgets, stages: readonly StageTime[], files: readonly FileTime[]): string {
  const told = stages.flatMap(({ name, cpu_seconds }) => {
    const budget = budgets[name];
    if (!budget || cpu_seconds === undefined || !isOver(cpu_seconds, budget)) return [];
    return [
      `${name} took ${Math.round(cpu_seconds)} s of CPU, ${Math.round(cpu_seconds - budget.budget_s)} more than its budget in scripts/test/budget.json.`,
    ];
  });
  if (told.length === 0) return '';
  const dearest = files
    .flatMap(({ file, cpu_seconds }) => (cpu_seconds === undefined ? [] : { file, cpu_seconds }))
    .toSorted((one, other) => other.cpu_seconds - one.cpu_seconds)
    .slice(0, MAX_TOLD_FILES);
  return [...told, ...dearest.map(({ file, cpu_seconds }) => `${cpu_seconds.toFixed(1).padStart(7)} s of CPU  ${file}`)].join('\n');
}

/** Refuses new test files in a stage that was over its budget in the last recorded run. Returns a sentence for each such stage. */
export function refusedFiles(budgets: Budgets, counts: Record<string, number>): string[] {
  return Object.entries(budgets).flatMap(([name, budget]) => {
    const added = (counts[name] ?? 0) - budget.files;
    if (!isOver(budget.measured_s, budget) || added <= 0) return [];
    return [
      `${name} took ${budget.measured_s} s of CPU of ${budget.budget_s} and has ${added} more files since: make tests cheaper and record them (npm test -- --record), or raise budget_s in scripts/test/budget.json with a reason`,
    ];
  });
}

/** Records the measurements of a whole run. The budgets are unchanged. */
export function recordBudgets(stages: readonly StageTime[]): void {
  const budgets = readBudgets();
  const counts = fileCounts();
  for (const { name, cpu_seconds } of stages) {
    const budget = budgets[name];
    if (budget && cpu_seconds !== undefined) Object.assign(budget, { measured_s: Math.round(cpu_seconds), files: counts[name] ?? 0 });
  }
  writeFileSync(PATH, `${JSON.stringify(budgets, null, 2)}\n`);
}
