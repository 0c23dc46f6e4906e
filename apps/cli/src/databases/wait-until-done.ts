import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../context.ts';
import { exitCodes, ToolError } from '../failures.ts';

const pauseMs = 1000;
/** Number of polls. Longer work continues on the server. */
const maxLooks = 2 * 60 * 60;

interface WaitOptions<T> {
  /** Name of the work, for people. */
  what: string;
  /** The command that shows it later. */
  later: string;
  look: () => Promise<T>;
  isOver: (state: T) => boolean;
}

/** Polls every second until the work on the server is over, for at most 2 hours. Ctrl-C ends only the polling. */
export async function waitUntilDone<T>({ terminal, signal }: Context, { what, later, look, isOver }: WaitOptions<T>): Promise<T> {
  const began = Date.now();
  try {
    for (let looks = 0; looks < maxLooks; looks++) {
      const state = await look();
      if (isOver(state)) return state;
      terminal.progress(`${what} … ${Math.round((Date.now() - began) / 1000)} s`);
      await sleep(pauseMs, undefined, { signal });
    }
  } catch (error) {
    if (signal.aborted)
      throw new ToolError('interrupted', `It goes on without you. See how it goes: ${later}`, { exit: exitCodes.interrupted });
    throw error;
  } finally {
    terminal.progress('');
  }
  throw new ToolError('still_running', `It still goes on after 2 hours. See how it goes: ${later}`);
}
