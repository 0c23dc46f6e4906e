import type { System } from '@paddock/contract';
import type { Core, Feature } from '../../core.ts';
import { systemRoutes } from './routes.ts';

interface Deps {
  describe: () => Omit<System, 'database_problems' | 'recording_problem'>;
  databaseProblems: () => Promise<System['database_problems']>;
  recordingProblem: () => Promise<System['recording_problem']>;
}

export function systemFeature(
  { sql, changes }: Pick<Core, 'sql' | 'changes'>,
  { describe, databaseProblems, recordingProblem }: Deps,
): Feature<undefined> {
  const whole = async () => ({
    ...describe(),
    database_problems: await databaseProblems(),
    recording_problem: await recordingProblem(),
  });
  return { routes: [systemRoutes(sql, changes, whole)], jobs: [], exports: undefined };
}
