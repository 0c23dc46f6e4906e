import { setTimeout as sleep } from 'node:timers/promises';
import { BuildError } from '../build-error.ts';
import { packageOfProgram } from '../program-packages.ts';
import { mayTell } from './bounded-output.ts';
import { explain } from './explain-failure.ts';
import { freeBytes, limitFailure, timedOut } from './limit-failure.ts';
import type { Command, StepContext } from './step-context.ts';

const tries = 3;
/** Package clients retry each request by themselves for a minute or more. After such an attempt another one would only be as long. */
const maxRetriedMs = 60_000;
const tailLines = 50;

/**
 * Runs a command in the sandbox. A quick failure of the registry or the network is retried, up to three attempts in all. Fails with a
 * BuildError that has the last 50 lines.
 */
export async function runCommand(context: StepContext, command: Command): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await runOnce(context, command);
      return;
    } catch (error) {
      if (!(error instanceof BuildError) || !error.transient || attempt === tries || command.hasOtherAttempt?.() === true) throw error;
      const waitMs = 1000 * 3 ** (attempt - 1);
      context.onLine('stderr', `${error.message} Trying again in ${waitMs / 1000} s (${attempt + 1} of ${tries}).`);
      await sleep(waitMs, undefined, { signal: context.signal });
    }
  }
}

async function runOnce(context: StepContext, command: Command): Promise<void> {
  const { run, dataDir, registry, limits, egressAllow, deadline, signal, onLine, redact } = context;
  signal.throwIfAborted();
  const tail: string[] = [];
  const first: string[] = [];
  const telling: string[] = [];
  const access = command.credentials ? registry.install : registry.build;
  const left = deadline - performance.now();
  if (left <= 0) throw timedOut(context, command, tail);
  const freeBefore = await freeBytes(dataDir);
  const result = await run.run(
    {
      name: `${command.step} step`,
      command: command.command,
      cwd: command.cwd,
      env: { ...access.env, ...command.env },
      mounts: [...access.mounts, ...command.mounts],
      limits,
      timeout_ms: Math.ceil(left),
      egress: { allow: egressAllow },
      registries: registry.endpoints,
    },
    (stream, line) => {
      const clean = redact(line);
      if (first.length < tailLines) first.push(clean);
      else if (telling.length < tailLines && mayTell(clean)) telling.push(clean);
      tail.push(clean);
      if (tail.length > tailLines) tail.shift();
      onLine(stream, clean);
    },
    signal,
  );
  signal.throwIfAborted();
  // The cause is often in the first lines, or between a compiler's lines, and is followed by pages of advice.
  const said = [...new Set([...first, ...telling, ...tail])];
  const atLimit = await limitFailure(context, command, { result, tail, telling: said, freeBefore });
  if (atLimit !== undefined) throw atLimit;
  if (result.code === 0) return;
  const { reason, hint, transient, known, missingPackage, missingProgram, causedByNodeVersion, unfetchedBy } = explain(said);
  const lacks = missingPackage ?? (missingProgram && packageOfProgram(missingProgram, command.language));
  const ending = result.signal === null ? `It ended with exit code ${result.code}` : `It was ended by ${result.signal}`;
  throw new BuildError(command.step, transient ? 'registry_unreachable' : `${command.step}_failed`, {
    doing: command.doing,
    message: known ? reason : `${ending}${reason === '' ? '.' : `: ${reason}`}`,
    tail,
    hint,
    unfetchedBy,
    // The next attempt is another one: `installUnfetched` makes it.
    transient: transient && unfetchedBy === undefined && result.duration_ms < maxRetriedMs,
    choices:
      lacks === undefined
        ? []
        : [{ packages: lacks, because: missingPackage === undefined ? `it brings ${missingProgram}` : 'what failed imports it' }],
    ...(causedByNodeVersion === undefined ? {} : { causedByNodeVersion }),
  });
}
