import { BuildError, quoteName } from '../build-error.ts';
import { planTree } from '../detect/make-plan.ts';
import { openTree } from '../detect/source-tree.ts';
import type { Plan } from '../plan.ts';
import { type PythonDependencies, pyprojectOf, pythonDependencies } from '../python/dependencies.ts';
import { notedReading, noteReading, type PlanInput, plannedMost } from './messages.ts';

/** What reading an unpacked archive gives: the plan, and what a Python install is told of the dependencies. */
export interface Planned {
  plan: Plan;
  dependencies: PythonDependencies | null;
}

/** Reads the unpacked archive in `dir`. Returns JSON, since the sets in it would not outlive a message's bound otherwise. */
export async function planFolder(dir: string, { settings, toolchains, reading }: PlanInput): Promise<string> {
  try {
    const tree = await openTree(dir, (path) => noteReading(reading, path));
    const plan = planTree(tree, settings, toolchains);
    const root = tree.below(plan.root);
    const dependencies = plan.language === 'python' ? pythonDependencies(root, pyprojectOf(root)) : null;
    const text = JSON.stringify({ plan, dependencies: dependencies && { ...dependencies, names: [...dependencies.names] } });
    if (text.length <= plannedMost) return text;
  } catch (error) {
    throw isTooDeep(error) ? tooDeep(notedReading(reading)) : error;
  }
  throw new BuildError('detect', 'plan_too_large', `The archive's files ask for more than a plan can hold (${plannedMost / 1024} kB).`, {
    hint: 'Look for a very long command, or a very long list of variables or dependencies, and shorten it.',
  });
}

/** Reads what `planFolder` gave. */
export function readPlanned(text: string): Planned {
  const { plan, dependencies } = JSON.parse(text) as { plan: Plan; dependencies: null | (PythonDependencies & { names: string[] }) };
  return { plan, dependencies: dependencies && { ...dependencies, names: new Set(dependencies.names as Iterable<string>) } };
}

// Parsers of nested formats call themselves for each level.
const isTooDeep = (error: unknown) => error instanceof RangeError && error.message.includes('call stack');

function tooDeep(path: string): BuildError {
  return new BuildError('detect', 'nested_too_deeply', `${quoteName(path)} is nested too deeply to be read.`, {
    hint: 'Write it with fewer levels and deploy again.',
  });
}
