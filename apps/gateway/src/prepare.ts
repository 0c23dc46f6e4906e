import { standardOutput, survivePrinting } from '@paddock/output';
import { type Logger, pino } from 'pino';
import { type Config, readConfig } from './config.ts';

/** The first steps of every process of the gateway. An invalid setting ends the process with 2. */
export function prepare(): { config: Config; log: Logger } {
  survivePrinting();
  const config = readSettings();
  const log = pino({ name: 'gateway', level: config.logLevel }, standardOutput());
  // The database driver queries types on each new connection, and no code awaits the result: if that connection is lost at once, visitors must not
  // suffer.
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
