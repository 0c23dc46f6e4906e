import { after, before, suite } from 'node:test';
import { accessTests } from './test/access.ts';
import { backupTests } from './test/backups.ts';
import { type Bench, openBench, type SuiteOptions } from './test/bench.ts';
import { lifeTests } from './test/life.ts';
import { refusalTests } from './test/refusals.ts';
import { restoreCrashTests, restoreLeftoverTests } from './test/restore-crashes.ts';

const PARTS = {
  'life and death': lifeTests,
  access: accessTests,
  'limits of the user': refusalTests,
  backups: backupTests,
  'restores cut off': restoreCrashTests,
  /** The remains of a crash are the same for every type, so only the type that starts faster is tested. */
  'what cut-off restores leave': restoreLeftoverTests,
};

/** The behaviour that every DatabaseDriver promises, for one type of database. Each part has its own driver and folder. */
export function databaseDriverSuite(options: SuiteOptions, parts: (keyof typeof PARTS)[]): void {
  for (const part of parts) {
    suite(`database driver, ${options.type}: ${part}`, () => {
      let bench: Bench;
      before(() => {
        bench = openBench(options);
      });
      after(() => bench.close());
      PARTS[part](() => bench);
    });
  }
}
