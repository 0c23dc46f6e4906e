import type { Logger } from 'pino';
import { limits } from './limits.ts';

/** A gateway whose server was killed must not hold the port against the next one. */
export function followParent(pid: number, log: Logger, leave: () => void): void {
  const wasChild = process.ppid === pid;
  const timer = setInterval(() => {
    if (isAlive(pid) && (!wasChild || process.ppid === pid)) return;
    clearInterval(timer);
    log.warn({ pid }, 'parent process exited');
    leave();
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
