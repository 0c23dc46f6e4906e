import { dirname } from 'node:path';
import { ROOT } from '../../program.ts';
import { allTestFiles } from '../files.ts';
import { readChanges } from './changes.ts';
import { type Reach, reachOf, readRepository } from './reach.ts';

/**
 * `isLong`: the test itself, or a file of its folder, was changed. `before` and `after` are for the person at the terminal: the tests that
 * run and why, and that these were not all.
 */
export type Selection = { wanted: (file: string) => boolean; isLong: (file: string) => boolean; before: string; after: string };

/** Selects the tests that the changes since a commit can reach. Throws an UndecidedError if that cannot be determined. */
export function selectTests(ref: string): Selection {
  const { files, changed } = readChanges(ROOT, ref);
  const tests = allTestFiles();
  const reach = reachOf(readRepository(ROOT, files, tests), changed);
  const share = `${reach.because.size} of ${tests.length} test files`;
  const changes = changed.length === 1 ? '1 file changed' : `${changed.length} files changed`;
  return {
    wanted: (file) => reach.because.has(file),
    isLong: (file) => changed.includes(file) || (!file.startsWith('e2e/') && changed.some((one) => dirname(one) === dirname(file))),
    before: `${changes} since ${ref}, which can reach ${share}.\n${told(reach, tests)}`,
    after: reach.everything
      ? `All test files ran, since ${reach.everything}.`
      : `This was not the whole: ${share} ran, those that the changes since ${ref} can reach. \`npm test\` runs all.`,
  };
}

function told({ because, everything }: Reach, tests: string[]): string {
  if (everything) return `Everything runs: ${everything}.`;
  const others = new Map<string, number>();
  for (const test of tests) if (!because.has(test)) others.set(workspaceOf(test), (others.get(workspaceOf(test)) ?? 0) + 1);
  const run = tests.filter((test) => because.has(test)).map((test) => `  ${test}  ← ${because.get(test)}`);
  const left = [...others].map(([workspace, count]) => `${workspace} ${count}`);
  const why = left.length === 0 ? [] : [`Left out, since they import, run and read nothing that changed: ${left.join(', ')}.`];
  return ['The checks run, and:', ...run, ...why].join('\n');
}

const workspaceOf = (path: string) => /^(?:apps|packages|e2e)\/[^/]+/.exec(path)?.[0] ?? path.split('/')[0]!;
