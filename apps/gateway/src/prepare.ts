import { standardOutput, survivePrinting } from '@paddock/output';
import { type Logger, pino } from 'pino';
import { type Config, readConfig } from './config.ts';

/** The first steps of every process of the gateway. A wrong setting ends the process with 2. */
export function prepare(): { config: Config; log: Logger } {
  survivePrinting();
  const config = readSettings();
  const log = pino({ name: 'gateway', level: config.logLevel }, standardOutput());
  // The database's driver asks each new connection for its types, and nobody awaits the answer: when that connection is lost at once, visitors must not suffer.
  process.on('unhandledRejection', (err) => log.error({ err }, 'a promise was rejected and nobody looked'));
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
