export type BuildStep = 'unpack' | 'detect' | 'install' | 'build';

/**
 * Why an archive could not become an artifact: the step, a stable code, a sentence for the person and what to try.
 * `tail` holds the last lines of the failing command. `transient` failures (registry, network) are worth another try.
 */
export class BuildError extends Error {
  readonly step: BuildStep;
  readonly code: string;
  readonly hint: string;
  readonly tail: string[];
  readonly transient: boolean;

  constructor(
    step: BuildStep,
    code: string,
    message: string,
    more: { hint?: string; tail?: string[]; transient?: boolean; cause?: unknown } = {},
  ) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause });
    this.name = 'BuildError';
    this.step = step;
    this.code = code;
    this.hint = more.hint ?? '';
    this.tail = more.tail ?? [];
    this.transient = more.transient ?? false;
  }
}

/** A file name as it may stand in a message: quoted, control and direction characters escaped, cut. */
export function quoteName(name: string): string {
  const shown = name.length > 120 ? `${name.slice(0, 117)}...` : name;
  return JSON.stringify(shown).replace(
    /[\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
