import type { Core, Feature } from '../../core.ts';
import { policyRetention, type TeamsKeptAtMost } from '../../jobs/policy-retention.ts';
import type { SubjectPlace } from '../../subjects/subject-store.ts';
import { removeOldLines } from './policy-retention-store.ts';
import { dropOldPartitions, makePartitions } from './retention.ts';
import { logRoutes } from './routes.ts';
import { type LogStore, logStore } from './store.ts';
import { logLines } from './subject-store.ts';

interface Deps {
  keptAtMost: TeamsKeptAtMost;
}

export function logFeature(
  { sql, config, log }: Pick<Core, 'sql' | 'config' | 'log'>,
  { keptAtMost }: Deps,
): Feature<LogStore & { place: SubjectPlace }> {
  const store = logStore(sql);
  return {
    routes: [logRoutes(store)],
    jobs: [
      { name: 'log-ticket.sweep', everySeconds: 600, run: () => store.removeExpiredTickets() },
      { name: 'log.partition', everySeconds: 3600, run: () => makePartitions(sql) },
      { name: 'log.retain', everySeconds: 3600, run: () => dropOldPartitions(sql, config.logRetentionDays) },
      { name: 'log.retain-by-policy', everySeconds: 3600, run: policyRetention({ sql, log, keptAtMost, remove: removeOldLines }) },
    ],
    exports: { ...store, place: logLines(sql) },
  };
}
