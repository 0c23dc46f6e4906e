export type Strangeness = 'a link' | 'not a file' | 'not a folder' | 'too large' | 'too long' | 'too many entries' | 'too deep';

/** Tenant code left another kind of entry than the caller needs. `path` is relative to the given root. */
export class StrangeFile extends Error {
  readonly path: string;
  readonly found: Strangeness;

  constructor(path: string, found: Strangeness) {
    super(`${JSON.stringify(path.slice(0, 200))} is ${found}.`);
    this.name = 'StrangeFile';
    this.path = path;
    this.found = found;
  }
}

const STRANGE: Record<string, Strangeness> = {
  EISDIR: 'not a file',
  ELOOP: 'a link',
  ENAMETOOLONG: 'too long',
  ENOTDIR: 'not a folder',
};

/** The error to throw for a failed call: a `StrangeFile` if an entry left by tenant code caused the failure. */
export function strangeOr(error: unknown, path: string): unknown {
  const found = STRANGE[(error as NodeJS.ErrnoException).code ?? ''];
  return found === undefined ? error : new StrangeFile(path, found);
}
