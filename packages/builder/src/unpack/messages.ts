import { BuildError, type BuildStep } from '../build-error.ts';
import type { PlanSettings } from '../detect/settings.ts';
import type { Toolchains } from '../detect/toolchains.ts';
import type { Choice, Plan } from '../plan.ts';
import type { PythonDependencies } from '../python-dependencies.ts';
import type { ArchiveLimits } from './entry-rules.ts';

/** The start data of a spare thread, which waits for an archive. */
export const messageWaiting = 'waiting';

/** The only message from the server to the thread of an archive. */
export interface WorkerInput {
  zipPath: string;
  destDir: string;
  limits: ArchiveLimits;
  /** Absent if the archive is only unpacked. */
  plan?: PlanInput;
}

export interface PlanInput {
  settings: PlanSettings;
  toolchains: Toolchains;
  /** Shared memory in which the thread records the file that it reads, so that the error of a terminated thread can name the file. */
  reading: Uint8Array<SharedArrayBuffer>;
}

export interface Unpacked {
  files: number;
  bytes: number;
  /** The single top folder of the archive, which is removed from all paths; null if there was none. */
  stripped: string | null;
  warnings: string[];
  /** The newest date of its files, such as 2024-05-17; null if no date is plausible. */
  newest: string | null;
}

export interface Refusal {
  step: BuildStep;
  code: string;
  message: string;
  hint: string;
  choices: Choice[];
}

/** `planned` is JSON of at most `maxPlannedCharacters` characters, because the server parses it on the shared thread. */
export type WorkerOutput = { unpacked: Unpacked } | { planned: string } | { refused: Refusal };

/** Maximum size of the plan alone, which is stored with the deployment and shown. */
export const maxPlanCharacters = 128 * 1024;
/** Maximum size of the plan with the lines of a lock file. */
export const maxPlannedCharacters = 512 * 1024;

/** The plan of an unpacked archive, and the dependencies that a Python install needs. */
export interface Planned {
  plan: Plan;
  dependencies: PythonDependencies | null;
}

/** Reads the result of `planFolder`. */
export function readPlanned(text: string): Planned {
  const { plan, dependencies } = JSON.parse(text) as { plan: Plan; dependencies: null | (PythonDependencies & { names: string[] }) };
  return { plan, dependencies: dependencies && { ...dependencies, names: new Set(dependencies.names as Iterable<string>) } };
}

const maxSentenceCharacters = 2000;

/** A refusal with bounded texts: messages quote text of the archive, which may have any length. */
export function bounded({ step, code, message, hint, choices }: BuildError): Refusal {
  return { step, code, message: cut(message), hint: cut(hint), choices: usable(choices) };
}

/** The maximum lengths that a deployment accepts for its folder and its start command. Longer choices could not be used. */
const maxRootCharacters = 500;
const maxStartCharacters = 1000;
const maxBecauseCharacters = 300;
const maxRefusedChoices = 20;

function usable(choices: Choice[]): Choice[] {
  return choices
    .filter(({ root = '', start = '' }) => root.length <= maxRootCharacters && start.length <= maxStartCharacters)
    .slice(0, maxRefusedChoices)
    .map((choice) => ({ ...choice, because: choice.because.slice(0, maxBecauseCharacters).toWellFormed() }));
}

function cut(text: string): string {
  return text.length > maxSentenceCharacters ? `${text.slice(0, maxSentenceCharacters)} …` : text;
}

const readingBytes = 1024;

export function readProgress(): Uint8Array<SharedArrayBuffer> {
  return new Uint8Array(new SharedArrayBuffer(readingBytes));
}

/** Records the path of the file that is read next. */
export function noteReading(place: Uint8Array<SharedArrayBuffer>, path: string): void {
  // A text encoder cannot write to shared memory, so the bytes are encoded outside it.
  const bytes = new TextEncoder().encode(path.slice(0, readingBytes / 4));
  place.fill(0);
  place.set(bytes);
}

/** The last recorded path; empty if no file was read yet. */
export function notedReading(place: Uint8Array<SharedArrayBuffer>): string {
  const end = place.indexOf(0);
  return new TextDecoder().decode(Uint8Array.from(place.subarray(0, end === -1 ? place.length : end)));
}
