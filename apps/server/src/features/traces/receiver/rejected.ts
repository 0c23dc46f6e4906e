interface RejectOptions {
  headers?: Record<string, string>;
  /** For clients that send too much, or are not authorised: the response is delayed, and the rest of the body is not read. */
  isUnwelcome?: boolean;
}

/** A rejected request, with the status and the message of its response. */
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
