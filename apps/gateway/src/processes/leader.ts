import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { limits as defaults, type Limits } from '../limits.ts';
import { startFollower } from './follower-process.ts';
import { type SupervisedProcess, superviseProcess } from './supervised-process.ts';

export interface Followers {
  /** Returns the port once every process listens. Rejects when the first process cannot be started. */
  start: () => Promise<number>;
  /** Lets all finish their requests, and waits until they exit. Rejects if one of them did not exit gracefully. */
  close: () => Promise<void>;
  /** Kills all at once. */
  end: () => void;
}

/**
 * Several processes that share one port: the kernel spreads connections over them. This process serves no requests; it replaces a process that
 * ends while the others go on. The first process tries the settings and chooses the port, then the others start.
 */
export function startLeader(config: Pick<Config, 'port' | 'processes'>, log: Logger, limits: Limits = defaults): Followers {
  const { processes } = config;
  const seats: SupervisedProcess[] = [];
  let port = config.port;
  let isClosing = false;
  return { start, close, end };

  async function start(): Promise<number> {
    port = await keepAnother(true).listening;
    const others = isClosing ? [] : Array.from({ length: processes - 1 }, () => keepAnother(false));
    await Promise.all(others.map((seat) => seat.listening));
    return port;
  }

  function keepAnother(mustStart: boolean): SupervisedProcess {
    const seat = superviseProcess({
      start: (onListening) => startFollower({ port, processes, leaderPid: process.pid }, limits, onListening),
      mustStart,
      limits,
      log,
    });
    seats.push(seat);
    return seat;
  }

  async function close(): Promise<void> {
    isClosing = true;
    const results = await Promise.allSettled(seats.map((seat) => seat.close()));
    const failure = results.find((result) => result.status === 'rejected');
    if (failure) throw failure.reason;
  }

  function end(): void {
    for (const seat of seats) seat.kill();
  }
}
