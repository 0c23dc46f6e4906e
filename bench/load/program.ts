import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { endWithUs } from '../measure.ts';

const patienceMs = 60_000;

/**
 * Starts a load generator of this folder as a process of its own, so that the bench itself takes no time from it. The generator reports when
 * everything is open, and then answers each question. Rejects with its output if it exits early.
 */
export async function startLoad<Answer>(file: string, settings: object) {
  const child = fork(join(import.meta.dirname, file), { silent: true });
  child.send(settings);
  endWithUs(child);
  let printed = '';
  child.stderr!.on('data', (piece: Buffer) => (printed = (printed + piece.toString()).slice(-2000)));
  const exited = once(child, 'close');
  const broken = exited.then(() => {
    throw new Error(`${file} ended early: ${printed.trim()}`);
  });
  broken.catch(() => undefined);
  const said = async (): Promise<Answer> => {
    const [message] = (await Promise.race([once(child, 'message', { signal: AbortSignal.timeout(patienceMs) }), broken])) as [Answer];
    return message;
  };
  const close = async () => {
    child.kill('SIGKILL');
    await exited;
  };
  try {
    await said();
  } catch (error) {
    await close();
    throw error;
  }
  return {
    ask(question: object): Promise<Answer> {
      const answer = said();
      child.send(question);
      return answer;
    },
    close,
  };
}
