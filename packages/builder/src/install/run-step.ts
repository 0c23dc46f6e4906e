import { setTimeout as sleep } from 'node:timers/promises';
import { BuildError, type BuildStep } from '../build-error.ts';
import type { HostRegistry } from '../registry/host-registry.ts';
import type { Mount, StepLimits, StepRunner } from '../step.ts';
import { explain, isTransient } from './explain-failure.ts';

/** The parts that all steps of one build share. */
export interface StepContext {
  run: StepRunner;
  dataDir: string;
  registry: HostRegistry;
  limits: StepLimits;
  egressAllow: string[];
  /** Milliseconds on the monotonic clock by which the whole build has to be over. */
  deadline: number;
  signal: AbortSignal;
  /** Gets redacted lines. */
  onLine: (stream: 'stdout' | 'stderr', line: string) => void;
  redact: (text: string) => string;
}

export interface Command {
  step: BuildStep;
  /** Beginning of the message when the command fails, such as `Installing dependencies`. */
  doing: string;
  command: string[];
  cwd: string;
  env: Record<string, string>;
  mounts: readonly Mount[];
  /** The command gets the host's logins for registries; never set for a project's own code. */
  credentials: boolean;
}

const tries = 3;
const tailLines = 50;

/**
 * Runs a command in the sandbox. After a failure of the registry or the network the command is tried again, three times in all. Fails
 * with a BuildError that has the last 50 lines.
 */
export async function runCommand(context: StepContext, command: Command): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await runOnce(context, command);
      return;
    } catch (error) {
      if (!(error instanceof BuildError) || !error.transient || attempt === tries) throw error;
      const waitMs = 1000 * 3 ** (attempt - 1);
      context.onLine('stderr', `${error.message} Trying again in ${waitMs / 1000} s (${attempt + 1} of ${tries}).`);
      await sleep(waitMs, undefined, { signal: context.signal });
    }
  }
}

async function runOnce(
  { run, registry, limits, egressAllow, deadline, signal, onLine, redact }: StepContext,
  command: Command,
): Promise<void> {
  signal.throwIfAborted();
  const tail: string[] = [];
  const first: string[] = [];
  const access = command.credentials ? registry.install : registry.build;
  const left = deadline - performance.now();
  if (left <= 0) throw timedOut(command, tail);
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
      tail.push(clean);
      if (tail.length > tailLines) tail.shift();
      onLine(stream, clean);
    },
    signal,
  );
  signal.throwIfAborted();
  if (result.timed_out) throw timedOut(command, tail);
  if (result.oom) {
    throw new BuildError(command.step, 'out_of_memory', {
      message: `${command.doing} needed more than the ${limits.memory_mb} MB that a build may use.`,
      tail,
      hint: 'Use fewer or smaller dependencies, or ask the operator for a larger build limit.',
    });
  }
  if (result.code === 0) return;
  // The cause often stands first and is followed by pages of advice.
  const telling = [...new Set([...first, ...tail])];
  const { reason, hint } = explain(telling);
  const ending = result.signal === null ? `exit code ${result.code}` : `signal ${result.signal}`;
  const transient = isTransient(telling);
  throw new BuildError(command.step, transient ? 'registry_unreachable' : `${command.step}_failed`, {
    message: `${command.doing} failed (${ending})${reason === '' ? '.' : `: ${reason}`}`,
    tail,
    hint,
    transient,
  });
}

function timedOut(command: Command, tail: string[]): BuildError {
  return new BuildError(command.step, 'timed_out', {
    message: `${command.doing} did not end within the time a build may take.`,
    tail,
    hint: 'Look at the last lines for what it waited for.',
  });
}
