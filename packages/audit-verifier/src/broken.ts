/** The log does not hold what it claims from here on. `seq` is the first record that is bad or not proven. */
export class Broken extends Error {
  readonly seq: number;
  readonly id: string | null;

  constructor(reason: string, { seq, id = null }: { seq: number; id?: string | null }) {
    super(reason);
    this.name = 'Broken';
    this.seq = seq;
    this.id = id;
  }
}

/** The bytes or values of one line are not in the format. Whoever reads the line knows its place. */
export class Malformed extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'Malformed';
  }
}

/** Nothing can be said of the log: a file or a key cannot be read. */
export class Unusable extends Error {
  constructor(reason: string, cause?: unknown) {
    super(reason, { cause });
    this.name = 'Unusable';
  }
}
