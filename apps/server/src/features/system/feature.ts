import type { System } from '@paddock/contract';
import type { Offered, Parts } from '../../parts.ts';
import { systemRoutes } from './routes.ts';

interface Needs {
  describe: () => Omit<System, 'database_problems'>;
  databaseProblems: () => Promise<System['database_problems']>;
}

export function systemFeature({ sql, changes }: Pick<Parts, 'sql' | 'changes'>, { describe, databaseProblems }: Needs): Offered<undefined> {
  const whole = async () => ({ ...describe(), database_problems: await databaseProblems() });
  return { routes: [systemRoutes(sql, changes, whole)], jobs: [], gives: undefined };
}
