import { setTimeout as sleep } from 'node:timers/promises';
import { PORT_REFUSED_CODE, PORT_TAKEN_CODE } from '@paddock/network';
import type { Logger } from 'pino';
import type { Limits } from '../limits.ts';
import { PortRefused, PortTaken } from '../listen.ts';
import type { Ending, FollowerProcess } from './follower-process.ts';

export interface SupervisedProcess {
  /** The port of the first process that listens. Rejects if `mustStart` and the first process ends before that. */
  listening: Promise<number>;
  /** Lets the process finish its requests, and waits until it exits. Rejects if it did not exit gracefully. */
  close: () => Promise<void>;
  kill: () => void;
}

interface SeatParts {
  start: (onListening: (port: number) => void) => FollowerProcess;
  mustStart: boolean;
  limits: Limits;
  log: Logger;
}

/** Keeps one process running. A process that ends is replaced, after growing pauses, without a limit on attempts. */
export function superviseProcess({ start, mustStart, limits, log }: SeatParts): SupervisedProcess {
  const closing = new AbortController();
  const { promise: listening, resolve, reject } = Promise.withResolvers<number>();
  let hasListened = false;
  let follower: FollowerProcess | undefined;
  const kept = keep();
  return { listening, close, kill: () => follower?.kill() };

  /** How the last process ended; undefined if none ran at the end. */
  async function keep(): Promise<Ending | undefined> {
    for (let failures = 0; ; failures++) {
      const since = performance.now();
      const ending = await run();
      if (closing.signal.aborted) return ending;
      if (mustStart && !hasListened) {
        reject(startFailure(ending));
        return ending;
      }
      if (performance.now() - since > limits.followerSteadyMs) failures = 0;
      const waitMs = Math.min(limits.followerRestartMaxMs, limits.followerRestartMs * 2 ** failures);
      log.error({ follower: follower?.pid, ...ending, wait_ms: waitMs }, 'gateway process exited; restarting');
      await sleep(waitMs, undefined, { signal: closing.signal }).catch(() => 'closing');
      if (closing.signal.aborted) return undefined;
    }
  }

  async function run(): Promise<Ending> {
    try {
      follower = start((port) => {
        hasListened = true;
        resolve(port);
      });
      return await follower.ended;
    } catch (error) {
      return { code: null, signal: null, cause: (error as Error).message }; // the machine has no memory or no process slot left
    }
  }

  async function close(): Promise<void> {
    closing.abort();
    follower?.leave();
    const late = setTimeout(() => follower?.kill(), limits.drainMs + limits.followerLeaveMs);
    const ending = await kept;
    clearTimeout(late);
    if (ending && ending.code !== 0) throw new Error(`a process of the gateway did not leave in good order: ${words(ending)}`);
  }
}

function startFailure(ending: Ending): Error {
  if (ending.code === PORT_TAKEN_CODE) return new PortTaken('The first process of the gateway found its port in use.');
  if (ending.code === PORT_REFUSED_CODE) return new PortRefused('The system refused the port to the first process of the gateway.');
  return new Error(`a process of the gateway could not be started: ${words(ending)}`);
}

const words = ({ code, signal, cause }: Ending) => `${cause ?? 'it ended'} (${signal ?? `exit code ${code}`})`;
