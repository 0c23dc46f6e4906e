import type { AskedVariable, BuildError } from '@paddock/builder';
import type { Instance } from '@paddock/runtime';
import { isCredentialFile } from './credential-file.ts';
import { namesOfDatabases } from './database-variables.ts';
import { findMissingDependency, lackedPackages, type MissingContext, tellsOneOfMore } from './diagnose-output.ts';
import { lastError, lastErrorLine, quotedError, withoutColours } from './last-error.ts';
import { missingVariables, tellsError, unreadableValue } from './missing-variables.ts';
import type { Readiness, Wait } from './readiness.ts';
import { unreached } from './unreached.ts';
import { wantedArguments } from './usage.ts';
import {
  alsoAsked,
  formatExamples,
  isOfSameService,
  listed,
  mentionsVariable,
  offeredNames,
  remedy,
  them,
  variables,
} from './variable-sentences.ts';

type Exit = NonNullable<Instance['exit']>;

const buildSteps = {
  unpack: 'unpacking the archive',
  detect: 'finding out what it is',
  install: 'installing dependencies',
  build: 'running the build command',
};

/** Message of a failed build. `set`: names of the variables that builds get; `asked`: those that its archive asks for. */
export function buildFailure(
  { step, doing, message, hint, tail, choices }: BuildError,
  { set = [], asked = [] }: Pick<Ran, 'set' | 'asked'> = {},
): string {
  const known = new Set(asked.map(({ name }) => name));
  const named = step === 'build' ? missingVariables(tail, known).filter((name) => !set.includes(name)) : [];
  const isUnnamed = step === 'build' && named.length === 0 && tail.some((line) => speaksOfVariables(line.slice(0, maxLine)));
  const names = isUnnamed ? asked.filter((one) => one.required && !set.includes(one.name)).map(({ name }) => name) : named;
  const next = names.length
    ? `It seems to need ${variables(names)}: set ${them(names)} under Variables, for builds too, and redeploy.`
    : `${hint}${choices.some(({ packages }) => packages !== undefined) ? alsoAsked({ set, asked }) : ''}`;
  return `Build failed while ${doing ?? buildSteps[step]}: ${message}${next ? ` ${next}` : ''}${quoted(tail)}`;
}

/** A line about variables that names none: 'Missing Supabase environment variables'. */
const speaksOfVariables = (line: string) =>
  /\benvironment variables?\b/i.test(line) && /\b(?:missing|required|not (?:been )?set|undefined)\b/i.test(line);
const maxLine = 500;

/** Also true if a program that we ran reported it. */
const isDiskFull = (error: unknown) =>
  (error as NodeJS.ErrnoException).code === 'ENOSPC' || /No space left on device/.test((error as Error).message);
const diskFull = "the server's disk is full. Free space on it, then redeploy.";

/** A build that failed for a reason outside the archive. */
export const buildErrorMessage = (error: unknown) =>
  `Build failed: ${isDiskFull(error) ? diskFull : 'something broke on our side. Redeploy to try again.'}`;

/** So many servers died during this work that it may be the cause. */
export const serverDiedMessage = (step: 'Build' | 'Start', times: number) =>
  `${step} failed: the server ended or hung ${times} times while it worked on this deployment, so it is not tried again by itself. Redeploy to try once more. If that fails too, leave out files that are unusually large or that a program made, or ask the operator to look at the server's log.`;

/** Each attempt failed for a reason outside the archive. */
export const infrastructureMessage = (step: 'Build' | 'Start', times: number) =>
  `${step} failed: it broke off ${times} times for reasons that are not the archive's. Redeploy to try again. If that fails too, ask the operator to look at the server's log.`;

/** The machine refused to start the agent. Only the operator can fix it, so the reason is quoted unchanged. */
export const startErrorMessage = (error: unknown) =>
  `Start failed: ${isDiskFull(error) ? diskFull : `the machine could not start the agent. ${(error as Error).message.slice(0, 500)} Ask the operator to look at the server's log, then redeploy.`}`;

/** The same for an agent that served before: no redeploy is needed. */
export const restartErrorMessage = (error: unknown, seconds: number) =>
  `Restart failed: ${isDiskFull(error) ? "the server's disk is full." : `the machine could not start the agent. ${(error as Error).message.slice(0, 500)}`} It is tried again in ${seconds} s.`;

/** Its databases were not available in time. `cause` names which ones, and what to do. */
export const databasesMissing = (cause: string, step: 'Start' | 'Restart' = 'Start') =>
  `${step} failed: its databases are not available: ${cause}`;

/** Input of messages about a start. `tail`: the agent's last lines; `set`: variables that it got; `asked`: those its archive asks for. */
export interface StartCircumstances extends MissingContext {
  limits: { memory_mb: number; disk_mb: number };
  budgetSeconds: number;
  tail: string[];
  set?: string[];
  asked?: AskedVariable[];
  /** Commands of the archive's documents that run the start with arguments. */
  examples?: string[];
}
/** Input of messages about an agent that ran. */
type Ran = Pick<
  StartCircumstances,
  'limits' | 'tail' | 'set' | 'asked' | 'examples' | 'lacks' | 'unfetched' | 'installed' | 'own' | 'others' | 'language' | 'instead'
>;

/** `raised`: it listens, but its code ended with this error at the first visit. `failure`: a sentence that says so, without its end. */
export type NotReady = Extract<Readiness, { kind: 'exited' | 'timeout' }> | { kind: 'raised'; failure: string; error: string };

/** Why a start failed, in one sentence each for step, cause and next step. */
export function startFailure(readiness: NotReady, about: StartCircumstances): string {
  const { tail, limits, budgetSeconds } = about;
  if (readiness.kind === 'raised') {
    const error = quotedError(lastError(tail) ?? (readiness.error || undefined));
    return `Start failed: ${readiness.failure}${error}. ${nextStep(stillRuns, about)}${quoted(tail)}`;
  }
  if (readiness.kind === 'timeout') {
    const why = readiness.because ? ` It was waited for since ${readiness.because}.` : '';
    const known = readiness.listening.length ? undefined : knownCause(about);
    if (known !== undefined) return `Start failed: ${silent({ budgetSeconds, tail })} ${known}${quoted(tail)}`;
    return `Start failed: ${neverReady(readiness, { budgetSeconds, tail })}${why}${maybeUnset(about)}${quoted(tail)}`;
  }
  const exit = withHeap(readiness.exit, tail);
  return `Start failed: ${exitCause(exit, { limits, tail })} ${nextStep(exit, about)}${quoted(tail)}`;
}

/** The process was stopped by us, so its exit says nothing. */
const stillRuns: Exit = { code: null, signal: null, oom: false, disk_full: false, at: '' };

/** Log line of a start that seems to hang. */
export const notListeningMessage = (wait: Wait, budgetSeconds: number) =>
  'because' in wait
    ? `The agent is not listening yet. Waiting up to ${budgetSeconds} s because ${wait.because}. If it never listens, say "type: worker" in paddock.yaml.`
    : `The agent still starts: it computes, reads, starts processes or opens connections. It is active when it listens or rests, and as a worker after ${wait.busy_seconds} s at the latest.`;

/** The agent became active, and crashed within its first minute. `seconds`: how long it ran. */
export function earlyCrashMessage(exit: Exit, seconds: number, about: Ran): string {
  const { limits, tail } = about;
  const counted = withHeap(exit, tail);
  return `Start failed: ${crashCause(counted, { limits, tail })} It had become active and ran for ${seconds} s; what crashes in its first minute is not restarted. ${nextStep(counted, about)}${quoted(tail)}`;
}

/** The end of a sentence that begins with 'The agent'. */
export function describeExit(exit: Exit): string {
  if (exit.oom) return 'ran out of memory';
  if (exit.disk_full) return 'wrote more than its disk space';
  if (exit.signal) return `was ended by ${exit.signal}`;
  return `exited with code ${exit.code}`;
}

/** After too many restarts. */
export function crashLoop(exit: Exit | undefined, about: Ran & { restarts: number }) {
  const { limits, tail, restarts } = about;
  const counted = exit && withHeap(exit, tail);
  const cause = counted ? crashCause(counted, { limits, tail }) : 'it ended.';
  const next = counted ? nextStep(counted, about) : 'Look at the log, mend the cause and redeploy.';
  return `The agent crashed ${restarts} times in 10 minutes and is not restarted any more: ${cause} ${next}${quoted(tail)}`;
}

/** Node exits by itself when its heap is full, a little before the kernel would kill it. */
const withHeap = (exit: Exit, tail: string[]): Exit =>
  exit.code !== 0 && tail.some((line) => line.includes('JavaScript heap out of memory')) ? { ...exit, oom: true } : exit;

type Ended = Pick<StartCircumstances, 'limits' | 'tail'>;

function exitCause(exit: Exit, about: Ended): string {
  const { code, signal } = exit;
  if (exit.oom || exit.disk_full || signal) return crashCause(exit, about);
  if (code === 0) return `the agent ended with exit code 0 instead of listening for requests${saying(about.tail)}.`;
  return `the agent ended with exit code ${code ?? 'unknown'} before it was ready${saying(about.tail)}.`;
}

/** Cause of the crash of an agent that had been ready. */
function crashCause(exit: Exit, { limits, tail }: Ended): string {
  if (exit.oom) return `the agent used more than its ${limits.memory_mb} MB of memory and was ended.`;
  if (exit.disk_full) return `the agent wrote more than its ${limits.disk_mb} MB of disk and was ended.`;
  return `the agent ${describeExit(exit)}${saying(tail)}.`;
}

/** Quotes the error, unless the next step names the cause anyway. */
const saying = (tail: string[]) => (findMissingDependency(tail) === undefined ? quotedError(lastError(tail)) : '');

/** The cause by the output of an agent that continued after its error, and never listened. */
const knownCause = (about: Ran): string | undefined =>
  findMissingDependency(about.tail, about) ?? seemsToNeed(about) ?? absentService(about);

/** Does not offer variables again that a database has already set. */
function absentService({ tail, set = [], asked = [] }: Pick<Ran, 'tail' | 'set' | 'asked'>): string | undefined {
  const names = asked.map(({ name }) => name);
  const given = set.includes('DATABASE_URL') ? namesOfDatabases(asked) : [];
  return unreached(
    lastErrorLine(tail),
    tail,
    names.filter((name) => !given.includes(name)),
  );
}

/** After adding a package or a file, the next deploy may fail for the next cause, so other causes are worth mentioning. */
const isOneOfMore = (part: string, about: Omit<Ran, 'limits'>) => tellsOneOfMore(part) || lackedPackages(about.tail, about).length > 0;

function nextStep(exit: Exit, about: Omit<Ran, 'limits'>): string {
  const part = findMissingDependency(about.tail, about);
  if (part !== undefined) return isOneOfMore(part, about) ? `${part}${alsoAsked(about)}` : part;
  const wanted = wantedArguments(exit.code, about.tail, about.examples);
  if (wanted !== undefined) return wanted;
  const unreadable = unreadableValue(about.tail, new Set(about.asked?.map(({ name }) => name)));
  if (unreadable !== undefined)
    return `${unreadable} is read as JSON, and its value is none: write a list as ["a", "b"], an object as {"a": "b"}, under Variables, and redeploy.`;
  const needed = seemsToNeed(about);
  if (needed !== undefined) return needed;
  if (exit.oom) return 'Reduce its memory use, or raise PADDOCK_AGENT_MEMORY_MB.';
  if (exit.disk_full) return 'Let it write less, or raise PADDOCK_AGENT_DISK_MB.';
  const absent = absentService(about);
  if (absent !== undefined) return absent;
  if (exit.code === 127) return 'The start command was not found: check "start" in paddock.yaml.';
  if (exit.code === 0)
    return `If it is meant to run once, say "type: job" in paddock.yaml; else let it listen on $PORT.${maybeUnset(about)}`;
  return maybeUnset(about).trim() || 'Look at the last lines of its log, mend the cause and deploy again.';
}

/** Variables missing by the last lines, and the archive's other unset ones, so that one round is enough. */
function seemsToNeed({ tail, set = [], asked = [] }: Pick<Ran, 'tail' | 'set' | 'asked'>): string | undefined {
  const names = missingVariables(tail, new Set(asked.map(({ name }) => name))).filter((name) => !set.includes(name));
  if (!names.length) return undefined;
  const others = asked.filter(({ name }) => !names.includes(name));
  const also = others.map((one) => (isOfSameService(one, names) ? { ...one, required: true } : one));
  return `It seems to need ${variables(names)}: ${remedy(names, offeredNames(asked))}.${formatExamples(names, asked)}${fileNote(names)}${alsoAsked({ set, asked: also })}`;
}

function fileNote(names: string[]): string {
  const [file] = names.filter(isCredentialFile);
  if (file === undefined) return '';
  return ` ${names.length > 1 ? `The value of ${file}` : 'Its value'} may be the JSON of the credential itself; the agent gets it as a file.`;
}

/** A job exited with 0, but its output contains errors, and variables are not set. Undefined: nothing to report. */
export function doubtfulEnd(about: Omit<Ran, 'limits'>): string | undefined {
  const known = findMissingDependency(about.tail, about) ?? seemsToNeed(about) ?? absentService(about);
  const needed = known ?? (tellsError(about.tail) ? maybeUnset(about).trim() : '');
  return needed ? `The agent ended with exit code 0, but its output tells of errors. ${needed}${quoted(about.tail)}` : undefined;
}

/** Errors that no variable can cause. An attribute of None may come from a client without a key, so it is not among them. */
const ofTheSource =
  /^(?:AttributeError(?!: 'NoneType')|NameError|UnboundLocalError|SyntaxError|IndentationError|RecursionError|ZeroDivisionError|ReferenceError|ImportError)\b/;

/** Most public agents read or name what they need, and say nothing helpful when it is absent. */
function maybeUnset({ tail, set = [], asked = [] }: Pick<Ran, 'tail' | 'set' | 'asked'>): string {
  const error = lastErrorLine(tail) ?? '';
  if (ofTheSource.test(error)) return '';
  const open = asked.filter(({ name }) => !set.includes(name));
  const names = open.filter((one) => one.required || mentionsVariable(one, error));
  if (!names.length) return '';
  const are = names.length > 1 ? 'are' : 'is';
  return ` It may miss a variable: ${listed(names)} ${are} not set. Set what it needs under Variables and redeploy; the last lines of its log may tell of another cause.`;
}

const silent = ({ budgetSeconds, tail }: Pick<StartCircumstances, 'budgetSeconds' | 'tail'>) =>
  `the agent did not listen on any port within ${budgetSeconds} s${quotedError(lastError(tail))}.`;

function neverReady(
  { listening, onlyIpv6Loopback, lastProblem }: Extract<Readiness, { kind: 'timeout' }>,
  { budgetSeconds, tail }: Pick<StartCircumstances, 'budgetSeconds' | 'tail'>,
): string {
  if (!listening.length)
    return `${silent({ budgetSeconds, tail })} Let it listen on $PORT, say "type: worker" in paddock.yaml if it never listens, or give it more time with "start_budget".`;
  if (onlyIpv6Loopback)
    return `the agent listens on [::1]:${listening.join(', ')} alone, where requests cannot reach it. Let it listen on 0.0.0.0 or 127.0.0.1 instead of "localhost" or "::1".`;
  return `the agent listens on port ${listening.join(', ')} but did not answer as it should within ${budgetSeconds} s (${lastProblem ?? 'no answer'}). Check "health" and "port" in paddock.yaml.`;
}

/** Fifty lines of maximum length would make a message too large for a list of deployments. */
const maxQuotedLength = 1000;
const shortened = (line: string) => (line.length > maxQuotedLength ? `${line.slice(0, maxQuotedLength)} …` : line);
const quotedLines = 20;
function quoted(tail: string[]): string {
  const lines = tail.slice(-quotedLines).map((line) => shortened(withoutColours(line)));
  return lines.length === 0 ? '' : `\n\nLast lines:\n${lines.join('\n')}`;
}
