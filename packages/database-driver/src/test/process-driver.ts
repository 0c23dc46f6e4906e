import type { DatabaseDriver } from '../driver.ts';
import { processDatabaseDriver } from '../process/driver.ts';

const say = (fields: object, message: string) => void process.stderr.write(`${message} ${JSON.stringify(fields)}\n`);

export const createDriver = (dataDir: string): DatabaseDriver =>
  processDatabaseDriver({
    dataDir,
    installation: 'test',
    log: { info: () => undefined, warn: say, error: say },
    path: process.env['PATH'] ?? '',
  });
