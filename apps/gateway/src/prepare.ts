import { standardOutput, survivePrinting } from '@paddock/output';
import { type Logger, pino } from 'pino';
import { type Config, readConfig } from './config.ts';

/** The first steps of every gateway process. An invalid setting exits with code 2. */
export function prepare(): { config: Config; log: Logger } {
  survivePrinting();
  const config = readSettings();
  const log = pino({ name: 'gateway', level: config.logLevel }, standardOutput());
  // The database driver queries each new connection for its types without awaiting the result. A connection lost at once must not end the process.
  process.on('unhandledRejection', (err) => log.error({ err }, 'unhandled rejection'));
  return { config, log };
}

function readSettings(): Config {
  try {
    return readConfig(process.env);
  } catch (error) {
    console.error((error as Error).message);
    process.exit(2);
  }
}
