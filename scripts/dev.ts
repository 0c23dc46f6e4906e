// `npm run dev`: the server restarts and the console reloads when a file of theirs changes. Both end together.
import { join } from 'node:path';
import { bin, ROOT, runProgram, untilInterrupted } from './program.ts';

const interrupted = untilInterrupted();
const either = new AbortController();
const signal = AbortSignal.any([interrupted, either.signal]);

const programs = [
  runProgram(process.execPath, ['--watch', '--watch-preserve-output', 'apps/server/src/main.ts', ...process.argv.slice(2)], { signal }),
  runProgram(bin('vite'), ['--clearScreen', 'false'], { cwd: join(ROOT, 'apps/console'), signal }),
];
const { code } = await Promise.race(programs);
either.abort();
await Promise.all(programs);
process.exitCode = interrupted.aborted ? 0 : code;
