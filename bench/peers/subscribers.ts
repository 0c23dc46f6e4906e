import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { until } from '../measure.ts';

/** Opens a raw socket for each opening and counts the mark in the received data. */
export async function subscribers(port: number, openings: string[], mark: string) {
  const child: ChildProcess = spawn(
    process.execPath,
    [join(import.meta.dirname, 'subscribers.mjs'), `${port}`, JSON.stringify(openings), mark],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  let said = '';
  child.stdout!.on('data', (piece: Buffer) => (said = (said + piece.toString()).slice(-1000)));
  await until('the subscribers are connected', () => said.includes('open\n'), { ms: 20_000 });
  return {
    async count(): Promise<number> {
      said = '';
      child.stdin!.write('?\n');
      await until('the subscribers tell their count', () => said.includes('\n'), { ms: 10_000, everyMs: 2 });
      return Number(/counted (\d+)/.exec(said)?.[1]);
    },
    close: () => void child.kill('SIGKILL'),
  };
}
