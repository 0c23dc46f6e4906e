import type { BuildError } from '@paddock/builder';
import type { Instance } from '@paddock/runtime';
import type { Readiness } from './ready.ts';

type Exit = NonNullable<Instance['exit']>;

const buildSteps = {
  unpack: 'unpacking the archive',
  detect: 'finding out what it is',
  install: 'installing dependencies',
  build: 'running the build command',
};

/** Step, cause, next step and the last lines of a failed build. */
export const buildFailure = ({ step, message, hint, tail }: BuildError) =>
  `Build failed while ${buildSteps[step]}: ${message}${hint ? ` ${hint}` : ''}${quoted(tail)}`;

const isDiskFull = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOSPC';
const diskFull = "the server's disk is full. Free space on it, then redeploy.";

/** A build that broke off for a reason that is not the archive's. */
export const brokenBuild = (error: unknown) =>
  `Build failed: ${isDiskFull(error) ? diskFull : 'something broke on our side. Redeploy to try again.'}`;

/** The machine refused to start the agent: the operator's to mend, so the reason is told as it came. */
export const notStarted = (error: unknown) =>
  `Start failed: ${isDiskFull(error) ? diskFull : `the machine could not start the agent. ${(error as Error).message.slice(0, 500)} Ask the operator to look at the server's log, then redeploy.`}`;

/** Why a start failed, in one sentence each for step, cause and next step. `tail`: the agent's last lines. */
export function startFailure(
  readiness: Extract<Readiness, { kind: 'exited' | 'timeout' }>,
  limits: { memory_mb: number; disk_mb: number },
  budget_s: number,
  tail: string[],
): string {
  if (readiness.kind === 'timeout') return `Start failed: ${neverReady(readiness, budget_s)}${quoted(tail)}`;
  return `Start failed: ${exitCause(readiness.exit, limits)} ${nextStep(readiness.exit, tail)}${quoted(tail)}`;
}

/** After too many restarts. */
export const crashLoop = (exit: Exit | undefined, limits: { memory_mb: number; disk_mb: number }, restarts: number, tail: string[]) =>
  `The agent crashed ${restarts} times in 10 minutes and is not restarted any more: ${exit ? exitCause(exit, limits) : 'it ended.'} ${exit ? nextStep(exit, tail) : 'Look at the log, mend the cause and redeploy.'}${quoted(tail)}`;

export function exitCause(exit: Exit, limits: { memory_mb: number; disk_mb: number }): string {
  if (exit.oom) return `the agent used more than its ${limits.memory_mb} MB of memory and was ended.`;
  if (exit.disk_full) return `the agent wrote more than its ${limits.disk_mb} MB of disk and was ended.`;
  if (exit.signal) return `the agent was ended by ${exit.signal}.`;
  if (exit.code === 0) return 'the agent ended with exit code 0 instead of listening for requests.';
  return `the agent ended with exit code ${exit.code ?? 'unknown'} before it was ready.`;
}

function nextStep(exit: Exit, tail: string[]): string {
  const text = tail.join('\n');
  const missing = /(?:ModuleNotFoundError: No module named|Cannot find (?:module|package)) '([^']{1,100})'/.exec(text)?.[1];
  if (missing) return `The module '${missing}' is missing: add it to the dependencies and deploy again.`;
  const variable =
    /KeyError: '([A-Z][A-Z0-9_]{2,60})'/.exec(text)?.[1] ??
    /(?:environment variable|env var)\W{1,20}([A-Z][A-Z0-9_]{2,60})/i.exec(text)?.[1];
  if (variable) return `It seems to need the variable ${variable}: set it under Variables and redeploy.`;
  if (exit.oom) return 'Let it use less memory, or raise PADDOCK_AGENT_MEMORY_MB.';
  if (exit.disk_full) return 'Let it write less, or raise PADDOCK_AGENT_DISK_MB.';
  if (exit.code === 127) return 'The start command was not found: check "start" in paddock.yaml.';
  if (exit.code === 0) return 'If it is meant to run once, say "type: job" in paddock.yaml; else let it listen on $PORT.';
  return 'Look at the last lines of its log, mend the cause and deploy again.';
}

function neverReady({ listening, last_problem }: Extract<Readiness, { kind: 'timeout' }>, budget_s: number): string {
  if (!listening.length)
    return `the agent did not listen on any port within ${budget_s} s. Let it listen on $PORT, say "type: worker" in paddock.yaml if it never listens, or give it more time with "start_budget".`;
  return `the agent listens on port ${listening.join(', ')} but did not answer as it should within ${budget_s} s (${last_problem ?? 'no answer'}). Check "health" and "port" in paddock.yaml.`;
}

const quoted = (tail: string[]) => (tail.length ? `\n\nLast lines:\n${tail.join('\n')}` : '');
