import { filled } from '../../api/filled.ts';
import { idOf, oneOf, type Search, searchOf } from '../../navigation/search.ts';
import { lineParameter, logParameters } from '../logs/search.ts';
import { traceParameters } from '../traces/search.ts';

const parse = searchOf({
  project: idOf('prj'),
  status: oneOf('queued', 'building', 'deploying', 'active', 'completed', 'failed', 'stopped'),
  environment: oneOf('production', 'preview'),
  action: oneOf('deploy'),
  /** What the form begins with. */
  database: oneOf('managed'),
  /** The deployment whose log is open above the list. */
  logs: idOf('dep'),
  ...logParameters,
  ...lineParameter,
});

/** The part of the deployments page that its address keeps. */
export type DeploymentsSearch = ReturnType<typeof parse>;

export function deploymentsSearch(given: Search): DeploymentsSearch {
  const { action, database, logs, search, level, line, ...filters } = parse(given);
  const form = action ? { action, database } : {};
  const log = logs ? { logs, search, level, line } : {};
  return filled({ ...filters, ...form, ...log });
}

/** The part of a deployment's page that its address keeps; the marked line stands behind the '#'. */
export const deploymentSearch = searchOf({ ...logParameters, range: oneOf('1h', '7d'), ...traceParameters });
