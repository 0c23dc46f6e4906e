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
  /** The remains of a crash are the same for every type: the type that starts sooner is enough. */
  'what cut-off restores leave': restoreLeftoverTests,
};

/** The promises of every DatabaseDriver, for one type of database; each part has a driver and a folder of its own. */
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
