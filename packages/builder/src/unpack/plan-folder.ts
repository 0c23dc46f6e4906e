import { BuildError, quoteName } from '../build-error.ts';
import { planTree } from '../detect/make-plan.ts';
import { openTree } from '../detect/source-tree.ts';
import { addedAlone } from '../python/above.ts';
import { findPyproject, pythonDependencies } from '../python/dependencies.ts';
import { maxPlanCharacters, maxPlannedCharacters, notedReading, noteReading, type PlanInput } from './messages.ts';

/** Plans the unpacked archive in `dir`. Returns JSON of bounded length for a message to the server's thread. */
export async function planFolder(dir: string, { settings, toolchains, reading }: PlanInput): Promise<string> {
  try {
    const tree = await openTree(dir, (path) => noteReading(reading, path));
    const plan = planTree(tree, settings, toolchains);
    const root = tree.below(plan.install?.folder ?? plan.root);
    const isPython = plan.language === 'python' && plan.install !== null;
    const dependencies = isPython ? (pythonDependencies(root, findPyproject(root)) ?? addedAlone) : null;
    const text = JSON.stringify({ plan, dependencies: dependencies && { ...dependencies, names: [...dependencies.names] } });
    if (JSON.stringify(plan).length <= maxPlanCharacters && text.length <= maxPlannedCharacters) return text;
  } catch (error) {
    throw isTooDeep(error) ? tooDeep(notedReading(reading)) : error;
  }
  throw new BuildError('detect', 'plan_too_large', {
    message: `The archive's files ask for more than a plan can hold (${maxPlanCharacters / 1024} kB).`,
    hint: 'Look for a very long command, or a very long list of variables or dependencies, and shorten it.',
  });
}

// Parsers of nested formats recurse at each level.
const isTooDeep = (error: unknown) => error instanceof RangeError && error.message.includes('call stack');

function tooDeep(path: string): BuildError {
  return new BuildError('detect', 'nested_too_deeply', {
    message: `${quoteName(path)} is nested too deeply to be read.`,
    hint: 'Write it with fewer levels and deploy again.',
  });
}
