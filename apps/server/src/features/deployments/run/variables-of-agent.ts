import { namesOfDatabases } from './database-variables.ts';
import type { StartCircumstances } from './failure-messages.ts';
import type { WorkerDeps } from './worker-deps.ts';

type VariablesOfAgent = Pick<StartCircumstances, 'set' | 'asked'>;

/**
 * Variables that a running agent's archive asks for, and those that are set. Empty if they cannot be read: an exit message works without
 * them.
 */
export async function readAgentVariables(parts: WorkerDeps, id: string): Promise<VariablesOfAgent> {
  try {
    const from = await parts.transitions.startedFrom(id);
    if (!from?.artifact) return {};
    const variables = await parts.openVariables(from);
    const asked = from.artifact.plan.asked_variables ?? [];
    const databases = from.database_mode === 'none' ? [] : namesOfDatabases(asked);
    const set = [...Object.keys(from.artifact.env), ...variables.map(({ key }) => key), ...databases];
    return { set, asked };
  } catch (error) {
    parts.log.warn({ err: error, deployment: id }, 'variables of an exited agent could not be read');
    return {};
  }
}
