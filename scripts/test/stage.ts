import type { Counts } from './counts.ts';
import type { Run } from './runner.ts';

/** A kind of checks or tests. All stages start together; their programs wait for slots. */
export type Stage = { name: string; run: (place: Place) => Promise<Counts> };

/**
 * `reports` is a folder for the runners' reports, `env` names the database and the browser, `run` is the only way to start a program, `slots`
 * is their total number, and `print` writes a block of text below the stage's name.
 */
export type Place = {
  reports: string;
  env: NodeJS.ProcessEnv;
  signal: AbortSignal;
  run: Run;
  slots: number;
  print: (text: string) => void;
};
