import type { Command } from 'commander';
import type { Context } from './context.ts';

/** Gives a command's work its context; a number that it returns is the exit code. */
export type Run = (command: Command, work: (context: Context) => Promise<number | void>) => Promise<void>;
