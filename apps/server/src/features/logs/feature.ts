import type { Offered, Parts } from '../../parts.ts';
import type { SubjectPlace } from '../../subjects/place.ts';
import { dropOldPartitions, makePartitions } from './retention.ts';
import { logRoutes } from './routes.ts';
import { type LogStore, logStore } from './store.ts';
import { linesOfSubject } from './subject-store.ts';

export function logFeature({ sql, config }: Pick<Parts, 'sql' | 'config'>): Offered<LogStore & { place: SubjectPlace }> {
  const store = logStore(sql);
  return {
    routes: [logRoutes(store)],
    jobs: [
      { name: 'log-ticket.sweep', everySeconds: 600, run: () => store.removeExpiredTickets() },
      { name: 'log.partition', everySeconds: 3600, run: () => makePartitions(sql) },
      { name: 'log.retain', everySeconds: 3600, run: () => dropOldPartitions(sql, config.logRetentionDays) },
    ],
    gives: { ...store, place: linesOfSubject(sql) },
  };
}
