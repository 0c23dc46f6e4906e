import type { System } from '@paddock/contract';
import type { Offered, Parts } from '../../parts.ts';
import { systemRoutes } from './routes.ts';

interface Needs {
  describe: () => Omit<System, 'database_problems' | 'recording_problem'>;
  databaseProblems: () => Promise<System['database_problems']>;
  recordingProblem: () => Promise<System['recording_problem']>;
}

export function systemFeature(
  { sql, changes }: Pick<Parts, 'sql' | 'changes'>,
  { describe, databaseProblems, recordingProblem }: Needs,
): Offered<undefined> {
  const whole = async () => ({
    ...describe(),
    database_problems: await databaseProblems(),
    recording_problem: await recordingProblem(),
  });
  return { routes: [systemRoutes(sql, changes, whole)], jobs: [], gives: undefined };
}
