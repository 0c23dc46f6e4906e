#!/usr/bin/env node
import { CommanderError } from 'commander';
import { openContext } from './context.ts';
import { exitCodes, messageOf, suggestRemedy, ToolError, toExitCode, toProblem } from './failures.ts';
import { buildProgram, type GlobalOptions } from './program.ts';
import { filterOutput } from './safe-output.ts';
import { clean, openTerminal } from './terminal.ts';
import { version } from './version.ts';

process.exitCode = await run(process.argv.slice(2));

/** Runs a command line and returns its exit code. Never throws. */
async function run(args: string[]): Promise<number> {
  // The flag is read before the arguments are parsed: a parse error is printed in the requested form.
  const json = args.slice(0, args.includes('--') ? args.indexOf('--') : undefined).includes('--json');
  const { env, stdin, stdout, stderr } = process;
  filterOutput(stdout, json ? 'json' : 'text');
  filterOutput(stderr, 'text');
  const terminal = openTerminal({ json, env, stdout, stderr, stdin });
  // The reader of a pipe may end first: `paddock logs | head`.
  stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? exitCodes.ok : exitCodes.failed));
  const interrupted = new AbortController();
  const onSignal = () => {
    if (interrupted.signal.aborted) process.exit(exitCodes.interrupted); // the second Ctrl-C
    interrupted.abort(new ToolError('interrupted', 'Interrupted.', { exit: exitCodes.interrupted }));
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
  let exit: number = exitCodes.ok;
  const program = buildProgram({
    json,
    version,
    run: async ({ url }: GlobalOptions, work) => {
      const context = openContext({ terminal, env, stdin, cwd: process.cwd(), version, signal: interrupted.signal, givenUrl: url });
      exit = (await work(context)) ?? exitCodes.ok;
    },
  });
  try {
    await program.parseAsync(args, { from: 'user' });
    return exit;
  } catch (error) {
    if (error instanceof CommanderError) return usageExit(error, json);
    const reason = interrupted.signal.aborted && isAbort(error) ? interrupted.signal.reason : error;
    tell(reason, json);
    return toExitCode(reason);
  } finally {
    terminal.progress('');
  }
}

/** The exit code of help, version and wrong usage. Commander has printed the text for people already, also after failures. */
function usageExit(error: CommanderError, json: boolean): number {
  if (error.exitCode === 0) return exitCodes.ok;
  const message = error.message.replace(/^error: /, '');
  if (json) process.stdout.write(`${JSON.stringify(toProblem(new ToolError('usage', message)), null, 2)}\n`);
  return error.exitCode === exitCodes.no_verdict ? exitCodes.no_verdict : exitCodes.usage;
}

function tell(error: unknown, json: boolean) {
  if (json) process.stdout.write(`${JSON.stringify(toProblem(error), null, 2)}\n`);
  else process.stderr.write(`${clean(messageOf(error))}\n${suggestRemedy(error)}${formatStack(error)}`);
}

/** The stack of an unexpected error. */
function formatStack(error: unknown): string {
  return error instanceof Error && ['TypeError', 'ReferenceError', 'RangeError'].includes(error.name)
    ? `${clean(error.stack ?? '')}\n`
    : '';
}

function isAbort(error: unknown): boolean {
  if (error instanceof ToolError) return false; // its message tells what was interrupted
  return error instanceof Error && /Abort|ABORT/.test(`${error.name} ${(error as { code?: string }).code}`);
}
