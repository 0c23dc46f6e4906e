import type { ServerResponse } from 'node:http';

export interface AnswerWriter {
  begin: (status: number, reason: string, headers: string[]) => void;
  /** These two return false when the visitor must take something first: go on after 'drain'. The piece is copied. */
  write: (piece: Buffer) => boolean;
  /** Nothing more is at hand: what is held goes out now. */
  settle: () => boolean;
  end: () => void;
}

/** A small body that came with its head leaves with it, as one string: most answers are one write to the socket. */
const heldBytes = 8 * 1024;

export function answerWriter(res: ServerResponse): AnswerWriter {
  let isOnlyHead = false;
  let held: string | undefined;

  return { begin, write, settle, end };

  function begin(status: number, reason: string, headers: string[]): void {
    res.writeHead(status, reason || undefined, headers);
    isOnlyHead = true;
  }

  function write(piece: Buffer): boolean {
    if (isOnlyHead && held === undefined && piece.length <= heldBytes) {
      held = piece.toString('latin1');
      return true;
    }
    releaseHeld();
    // A copy: the connection reads into the same buffer again.
    return res.write(Buffer.from(piece));
  }

  function settle(): boolean {
    if (held !== undefined) return releaseHeld();
    if (isOnlyHead) res.flushHeaders();
    isOnlyHead = false;
    return true;
  }

  function releaseHeld(): boolean {
    const text = held;
    held = undefined;
    isOnlyHead = false;
    return text === undefined || res.write(text, 'latin1');
  }

  function end(): void {
    const text = held;
    held = undefined;
    isOnlyHead = false;
    if (text === undefined) res.end();
    else res.end(text, 'latin1');
  }
}
