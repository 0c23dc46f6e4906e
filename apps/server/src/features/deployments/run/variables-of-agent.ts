import { namesOfDatabases } from './database-variables.ts';
import type { StartCircumstances } from './failure-messages.ts';
import type { WorkerDeps } from './worker-deps.ts';

type VariablesOfAgent = Pick<StartCircumstances, 'set' | 'asked'>;

/** What the archive of a running agent asks for, and what is set. Nothing where that cannot be read: a message about its end can do without. */
export async function readVariablesOf(parts: WorkerDeps, id: string): Promise<VariablesOfAgent> {
  try {
    const from = await parts.transitions.startedFrom(id);
    if (!from?.artifact) return {};
    const variables = await parts.openVariables(from);
    const asked = from.artifact.plan.asked_variables ?? [];
    const databases = from.database_mode === 'none' ? [] : namesOfDatabases(asked);
    const set = [...Object.keys(from.artifact.env), ...variables.map(({ key }) => key), ...databases];
    return { set, asked };
  } catch (error) {
    parts.log.warn({ err: error, deployment: id }, 'the variables of an agent that ended could not be read');
    return {};
  }
}
