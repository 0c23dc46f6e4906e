/** The log is not what it claims to be from here on. `seq` is the first record that is bad or not proven. */
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

/** The bytes or values of one line are not in the format. The caller that reads the line knows its position. */
export class Malformed extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'Malformed';
  }
}

/** No statement about the log is possible: a file or a key cannot be read. */
export class Unusable extends Error {
  constructor(reason: string, cause?: unknown) {
    super(reason, { cause });
    this.name = 'Unusable';
  }
}
