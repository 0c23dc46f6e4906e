interface RejectOptions {
  headers?: Record<string, string>;
  /** Of who sends too much, or has no business here: answered late, and what is left of the body is not read. */
  isUnwelcome?: boolean;
}

/** A sending that is not taken, with the status and the sentence of its answer. */
export class Rejected extends Error {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly isUnwelcome: boolean;

  constructor(status: number, message: string, { headers = {}, isUnwelcome = false }: RejectOptions = {}) {
    super(message);
    this.status = status;
    this.headers = headers;
    this.isUnwelcome = isUnwelcome;
  }
}
