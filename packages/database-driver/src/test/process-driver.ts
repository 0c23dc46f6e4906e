import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseDriver } from '../driver.ts';
import { processDatabaseDriver } from '../process/driver.ts';

const say = (fields: object, message: string) => void process.stderr.write(`${message} ${JSON.stringify(fields)}\n`);

export function createDriver(dataDir: string): DatabaseDriver {
  const folder = join(dataDir, 'extensions');
  return processDatabaseDriver({
    dataDir,
    installation: 'test',
    log: { info: () => undefined, warn: say, error: say },
    path: process.env['PATH'] ?? '',
    extensions: { folder, vector: 'vector-test', prepare: async () => void mkdirSync(folder, { recursive: true, mode: 0o755 }) },
  });
}
