import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Limits } from '../limits.ts';
import type { Task, ToFollower, ToLeader } from './messages.ts';

const program = fileURLToPath(new URL('./follower.ts', import.meta.url));

export interface FollowerProcess {
  pid: number | undefined;
  /** How the process ended, as fields of a log line. Never rejects. */
  ended: Promise<Ending>;
  leave: () => void;
  kill: () => void;
}

export interface Ending {
  code: number | null;
  signal: NodeJS.Signals | null;
  cause?: string | undefined;
}

/**
 * Starts one process that serves the port. It has this process's environment and arguments, so that a search for gateways by an argument
 * finds it as well. A process that does not start in time, or that becomes silent, is killed.
 */
export function startFollower(task: Omit<Task, 'beatMs'>, limits: Limits, onListening: (port: number) => void): FollowerProcess {
  const child = fork(program, process.argv.slice(2));
  const silence = listen(child, limits, onListening);
  const say = (message: ToFollower) => child.connected && child.send(message, () => undefined); // the exit event reports a broken channel
  say({ task: { ...task, beatMs: limits.followerBeatMs } });
  const ended = new Promise<Ending>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal, cause: silence.cause() }));
    child.on('error', (error) => child.pid === undefined && resolve({ code: null, signal: null, cause: error.message }));
  });
  void ended.then(silence.stop);
  return { pid: child.pid, ended, leave: () => void say('leave'), kill: () => void child.kill('SIGKILL') };
}

/** Counts turns, not time: while the machine sleeps or this process is stopped, no follower is considered silent. */
function listen(
  child: ChildProcess,
  { followerBeatMs, followerStartBeats, followerSilentBeats }: Limits,
  onListening: (port: number) => void,
) {
  let isListening = false;
  let silentBeats = 0;
  let cause: string | undefined;
  child.on('message', (message: ToLeader) => {
    silentBeats = 0;
    if (message === 'alive') return;
    isListening = true;
    onListening(message.listensAt);
  });
  const timer = setInterval(() => {
    silentBeats += 1;
    if (silentBeats <= (isListening ? followerSilentBeats : followerStartBeats)) return;
    cause = isListening ? 'it said nothing any more and was killed' : 'it did not start in time and was killed';
    child.kill('SIGKILL');
  }, followerBeatMs);
  return { stop: () => clearInterval(timer), cause: () => cause };
}
