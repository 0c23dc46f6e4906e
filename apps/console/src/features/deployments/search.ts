import { filled } from '../../api/filled.ts';
import { idOf, oneOf, type Search, searchOf } from '../../navigation/search.ts';
import { lineParameter, logParameters } from '../logs/search.ts';
import { traceParameters } from '../traces/search.ts';

const parse = searchOf({
  project: idOf('prj'),
  status: oneOf('queued', 'building', 'deploying', 'active', 'completed', 'failed', 'stopped'),
  environment: oneOf('production', 'preview'),
  action: oneOf('deploy'),
  /** Initial database mode of the form. */
  database: oneOf('managed'),
  /** The deployment whose log is open above the list. */
  logs: idOf('dep'),
  ...logParameters,
  ...lineParameter,
});

/** The state of the deployments page that is kept in its address. */
export type DeploymentsSearch = ReturnType<typeof parse>;

export function deploymentsSearch(given: Search): DeploymentsSearch {
  const { action, database, logs, search, level, line, ...filters } = parse(given);
  const form = action ? { action, database } : {};
  const log = logs ? { logs, search, level, line } : {};
  return filled({ ...filters, ...form, ...log });
}

/**
 * The state of a deployment's page that is kept in its address; the marked line is in the fragment. `with`: the deployment that it is
 * compared with.
 */
export const deploymentSearch = searchOf({ ...logParameters, with: idOf('dep'), range: oneOf('1h', '7d'), ...traceParameters });
