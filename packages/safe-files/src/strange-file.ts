export type Strangeness = 'a link' | 'not a file' | 'not a folder' | 'too large' | 'too many entries' | 'too deep';

/** Tenant code left something else than what was looked for. `path` is relative to the root that was given. */
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
