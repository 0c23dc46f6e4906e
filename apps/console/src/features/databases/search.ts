import type { Environment, MetricsRange } from '@paddock/contract';
import { metricsRanges } from '@paddock/contract/limits';

/** What of the databases page lives in its address. */
export type DatabasesSearch = {
  project?: string;
  environment?: Environment;
  /** The form for a database of one's own is open. */
  action?: 'connect';
  /** Whose drawer is open, at which of its tabs. */
  open?: string;
  tab?: 'backups';
  range?: Exclude<MetricsRange, '24h'>;
};

/** Unknown or malformed parameters are dropped in silence. */
export function databasesSearch(given: Record<string, unknown>): DatabasesSearch {
  const { project, environment, action, open, tab, range } = given;
  return {
    ...(isId(project) ? { project } : {}),
    ...(environment === 'production' || environment === 'preview' ? { environment } : {}),
    ...(action === 'connect' ? { action } : {}),
    ...(isId(open) ? { open, ...(tab === 'backups' ? { tab } : {}), ...(isRange(range) ? { range } : {}) } : {}),
  };
}

const isId = (value: unknown): value is string => typeof value === 'string' && value !== '' && value.length <= 64;

/** A day is the default and left out. */
const isRange = (value: unknown): value is Exclude<MetricsRange, '24h'> =>
  value !== '24h' && (metricsRanges as readonly unknown[]).includes(value);
