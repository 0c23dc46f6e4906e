import type { Choice } from './plan.ts';

export type BuildStep = 'unpack' | 'detect' | 'install' | 'build';

export interface BuildFailure {
  /** A sentence for the user. */
  message: string;
  /** The operation that failed, such as `installing the dependencies of package.json`. Undefined if the step alone is clear enough. */
  doing?: string;
  /** A suggestion what to try. */
  hint?: string;
  /** The last lines of the failing command. */
  tail?: string[];
  /** The build may be retried: a registry or the network failed. */
  transient?: boolean;
  cause?: unknown;
  /** Alternatives that could be deployed instead. */
  choices?: Choice[];
  /** The failure was caused by the Node version. */
  causedByNodeVersion?: boolean;
  /** The package whose install script could not fetch what it needs. */
  unfetchedBy?: string | undefined;
}

/** The reason why an archive could not become an artifact: the step, a stable code and a message. */
export class BuildError extends Error {
  readonly step: BuildStep;
  readonly code: string;
  readonly doing: string | undefined;
  readonly hint: string;
  readonly tail: string[];
  readonly transient: boolean;
  readonly choices: Choice[];
  readonly causedByNodeVersion: boolean;
  readonly unfetchedBy: string | undefined;

  constructor(step: BuildStep, code: string, failure: BuildFailure) {
    super(failure.message, failure.cause === undefined ? undefined : { cause: failure.cause });
    this.name = 'BuildError';
    this.step = step;
    this.code = code;
    this.doing = failure.doing;
    this.hint = failure.hint ?? '';
    this.tail = failure.tail ?? [];
    this.transient = failure.transient ?? false;
    this.choices = failure.choices ?? [];
    this.causedByNodeVersion = failure.causedByNodeVersion ?? false;
    this.unfetchedBy = failure.unfetchedBy;
  }
}

/** A file name for use in a message: quoted, cut, with control and direction characters escaped. */
export function quoteName(name: string): string {
  const shown = name.length > 120 ? `${name.slice(0, 117)}...` : name;
  return JSON.stringify(shown).replace(
    /[\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
