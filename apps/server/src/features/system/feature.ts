import type { System } from '@paddock/contract';
import type { Core, Feature } from '../../core.ts';
import type { OwnersReads } from './prometheus/platform-reads.ts';
import { prometheus } from './prometheus/prometheus.ts';
import { systemRoutes } from './routes.ts';

interface Deps extends OwnersReads {
  describe: () => Omit<System, 'database_problems' | 'recording_problem'>;
  databaseProblems: () => Promise<System['database_problems']>;
  recordingProblem: () => Promise<System['recording_problem']>;
}

/** The state of this installation, for people and for Prometheus, and the changes of a team. */
export function systemFeature(
  core: Pick<Core, 'sql' | 'changes' | 'limit' | 'config' | 'requests'>,
  { describe, databaseProblems, recordingProblem, ...owners }: Deps,
): Feature<undefined> {
  const whole = async () => ({
    ...describe(),
    database_problems: await databaseProblems(),
    recording_problem: await recordingProblem(),
  });
  return {
    routes: [systemRoutes(core.sql, core.changes, whole), ...prometheus(core, owners, describe().version)],
    jobs: [],
    exports: undefined,
  };
}
