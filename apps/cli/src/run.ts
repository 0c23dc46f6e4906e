import type { Command } from 'commander';
import type { Context } from './context.ts';

/** Runs a command's work with its context; a returned number is the exit code. */
export type Run = (command: Command, work: (context: Context) => Promise<number | void>) => Promise<void>;
