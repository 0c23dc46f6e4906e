import { idOf, oneOf, type Search, searchOf } from '../../navigation/search.ts';
import { lineParameter, logParameters } from '../logs/search.ts';

const parse = searchOf({
  project: idOf('prj'),
  status: oneOf('queued', 'building', 'deploying', 'active', 'completed', 'failed', 'stopped'),
  environment: oneOf('production', 'preview'),
  action: oneOf('deploy'),
  /** What the form begins with. */
  database: oneOf('managed'),
  /** Whose log stands open above the list. */
  logs: idOf('dep'),
  ...logParameters,
  ...lineParameter,
});

/** What of the deployments page lives in its address. */
export type DeploymentsSearch = ReturnType<typeof parse>;

export function deploymentsSearch(given: Search): DeploymentsSearch {
  const { action, database, logs, search, level, line, ...filters } = parse(given);
  return {
    ...filters,
    ...(action ? { action, ...(database ? { database } : {}) } : {}),
    ...(logs ? { logs, ...(search ? { search } : {}), ...(level ? { level } : {}), ...(line ? { line } : {}) } : {}),
  };
}

/** What of one deployment's page lives in its address; the marked line stands behind the '#'. */
export const deploymentSearch = searchOf(logParameters);
