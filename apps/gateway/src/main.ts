import { standardOutput, survivePrinting } from '@paddock/output';
import { watchLoop } from '@paddock/runtime/watchdog';
import { pino } from 'pino';
import { type Config, readConfig } from './config.ts';
import { startGateway } from './gateway.ts';
import { limits } from './limits.ts';

survivePrinting();
let config: Config;
try {
  config = readConfig(process.env);
} catch (error) {
  console.error((error as Error).message);
  process.exit(2);
}
const log = pino({ name: 'gateway', level: config.logLevel }, standardOutput());
// The database's driver asks each new connection for its types, and nobody awaits the answer: when that connection is lost at once, visitors must not suffer.
process.on('unhandledRejection', (err) => log.error({ err }, 'a promise was rejected and nobody looked'));
watchLoop('gateway');
const gateway = await startGateway(config, log);
// Whoever started this process waits for this line, whatever the level.
log.child({}, { level: 'info' }).info({ port: gateway.port, pid: process.pid }, 'gateway ready');

let isLeaving = false;
process.on('SIGTERM', leave);
process.on('SIGINT', leave);
if (config.parentPid !== undefined) followParent(config.parentPid);

/** Drains and exits 0; asked a second time, exits at once. */
function leave(): void {
  if (isLeaving) process.exit(1);
  isLeaving = true;
  log.info('draining');
  gateway.close().then(
    () => {
      log.info('gateway closed');
      process.exit(0);
    },
    (err: unknown) => {
      log.error({ err }, 'gateway could not close cleanly');
      process.exit(1);
    },
  );
}

/** A gateway whose server was killed must not hold the port against the next one. */
function followParent(pid: number): void {
  const wasChild = process.ppid === pid;
  const timer = setInterval(() => {
    if (isAlive(pid) && (!wasChild || process.ppid === pid)) return;
    clearInterval(timer);
    log.warn({ pid }, 'the process that started this gateway is gone');
    if (!isLeaving) leave();
  }, limits.parentPollMs);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
