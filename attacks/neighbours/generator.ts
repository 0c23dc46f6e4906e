import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Aim } from './floods.ts';

/** A process that makes one flood. Its connections end with it. */
export async function startGenerator(flood: string, aim: Aim) {
  const child = fork(join(import.meta.dirname, 'generator-process.ts'), [flood, JSON.stringify(aim)], {
    // The process gets a session of its own: Linux shares processors between sessions first, and by priority only within each.
    detached: true,
  });
  const gone = once(child, 'exit');
  const ended = gone.then(() => Promise.reject(new Error(`The generator of ${flood} has ended.`)));
  ended.catch(() => 'told to whoever waits for a message');
  const told = () => Promise.race([once(child, 'message'), ended]);
  await told();
  return {
    pid: child.pid ?? 0,
    begin: () => void child.send('begin'),
    /** Returns the number of exchanges. */
    async end(): Promise<number> {
      child.send('end');
      const [count] = (await told()) as [number];
      child.disconnect();
      await gone;
      return count;
    },
  };
}
