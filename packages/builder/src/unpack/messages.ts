import { BuildError, type BuildStep } from '../build-error.ts';
import type { PlanSettings } from '../detect/settings.ts';
import type { Toolchains } from '../detect/toolchains.ts';
import type { Plan } from '../plan.ts';
import type { PythonDependencies } from '../python-dependencies.ts';
import type { ArchiveLimits } from './entry-rules.ts';

/** What a thread is told at its start that waits for an archive. */
export const waiting = 'waiting';

/** What the server sends to the thread of one archive, once. */
export interface WorkerInput {
  zipPath: string;
  destDir: string;
  limits: ArchiveLimits;
  /** Left out where the archive is only unpacked. */
  plan?: PlanInput;
}

export interface PlanInput {
  settings: PlanSettings;
  toolchains: Toolchains;
  /** Shared memory: the thread notes there which file it reads, so that whoever ends it can name the file. */
  reading: Uint8Array<SharedArrayBuffer>;
}

/** What an unpacked archive turned out to be. */
export interface Unpacked {
  files: number;
  bytes: number;
  /** The single folder that everything lay in, if there was one. */
  stripped: string | null;
  warnings: string[];
}

export interface Refusal {
  step: BuildStep;
  code: string;
  message: string;
  hint: string;
}

/** `planned` is JSON of at most `plannedMost` characters: the server parses it on the thread that serves everybody. */
export type WorkerOutput = { unpacked: Unpacked; ms: number } | { planned: string; ms: number } | { refused: Refusal };

/** Of the plan alone, which is stored with the deployment and shown; the lines of a lock file come on top. */
export const planMost = 128 * 1024;
export const plannedMost = 512 * 1024;

/** What reading an unpacked archive gives: the plan, and what a Python install is told of the dependencies. */
export interface Planned {
  plan: Plan;
  dependencies: PythonDependencies | null;
}

/** Reads what `planFolder` gave. */
export function readPlanned(text: string): Planned {
  const { plan, dependencies } = JSON.parse(text) as { plan: Plan; dependencies: null | (PythonDependencies & { names: string[] }) };
  return { plan, dependencies: dependencies && { ...dependencies, names: new Set(dependencies.names as Iterable<string>) } };
}
const sentenceMost = 2000;

/** A refusal as it may leave the thread: messages quote an archive's own words, of any length. */
export function bounded({ step, code, message, hint }: BuildError): Refusal {
  return { step, code, message: cut(message), hint: cut(hint) };
}

function cut(text: string): string {
  return text.length > sentenceMost ? `${text.slice(0, sentenceMost)} …` : text;
}

const readingBytes = 1024;

export function readingPlace(): Uint8Array<SharedArrayBuffer> {
  return new Uint8Array(new SharedArrayBuffer(readingBytes));
}

/** Notes the path of the file that is read from now on. */
export function noteReading(place: Uint8Array<SharedArrayBuffer>, path: string): void {
  // A text encoder takes no shared memory, so the bytes are made outside of it.
  const bytes = new TextEncoder().encode(path.slice(0, readingBytes / 4));
  place.fill(0);
  place.set(bytes);
}

/** The path noted last; empty when no file was read yet. */
export function notedReading(place: Uint8Array<SharedArrayBuffer>): string {
  const end = place.indexOf(0);
  return new TextDecoder().decode(Uint8Array.from(place.subarray(0, end === -1 ? place.length : end)));
}
