import { createSink, type Sink } from './sink.ts';

export interface Output {
  /** Accepts whole lines. Never throws and never blocks: lines that cannot be written are dropped and counted. */
  write(lines: string): void;
  /** Tries for at most `maxMs` to write the lines that wait for a slow reader. */
  flushSync(maxMs?: number): void;
}

/** Lines wait in memory while a reader is behind; beyond this bound lines are dropped. */
const maxWaitingBytes = 1024 * 1024;
const retryMs = 20;
/** Pause between attempts to write the line with the number of missing lines. */
const noticeMs = 1000;
const flushMs = 500;
const newline = 0x0a;

let shared: Output | undefined;

/** The standard output of this process. Lines that still wait when the process exits are written if that takes only a moment. */
export function standardOutput(): Output {
  if (shared) return shared;
  const output = outputTo(createSink(1));
  process.on('exit', () => output.flushSync());
  shared = output;
  return output;
}

/** Keeps the process alive when the output of others (warnings, libraries) cannot be written. */
export function survivePrinting(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
}

/**
 * Writes lines to a file, pipe or terminal that may be full, slow or closed. Lines that cannot be written are dropped, and a line with
 * their number is written as soon as the output accepts lines again.
 */
export function outputTo(sink: Sink): Output {
  const waiting = byteQueue();
  let lost = 0;
  let cause = '';
  /** The output ends in the middle of a line whose rest was dropped. */
  let isTorn = false;
  let timer: NodeJS.Timeout | undefined;

  function write(lines: string) {
    const bytes = Buffer.from(lines);
    if (lost > 0 && !tellLoss()) return drop(bytes);
    send(bytes);
  }

  function send(bytes: Buffer) {
    if (waiting.isEmpty()) {
      const rest = attempt(bytes);
      if (rest) wait(rest);
    } else if (waiting.bytes() + bytes.length > maxWaitingBytes) drop(bytes, 'the reader was too slow');
    else wait(bytes);
  }

  /** The bytes that remain for a reader that is behind; undefined if all bytes were written or dropped. */
  function attempt(bytes: Buffer): Buffer | undefined {
    let done = 0;
    try {
      while (done < bytes.length) done += sink.write(bytes.subarray(done));
      return undefined;
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      const rest = bytes.subarray(done);
      if (code === 'EAGAIN') return rest;
      drop(rest, code ?? message);
      return undefined;
    } finally {
      if (done > 0) isTorn = bytes[done - 1] !== newline;
    }
  }

  function wait(bytes: Buffer) {
    waiting.add(bytes);
    later(retryMs);
  }

  function drop(bytes: Buffer, why?: string) {
    for (const byte of bytes) if (byte === newline) lost += 1;
    cause = why ?? cause;
    later(noticeMs);
  }

  function drain() {
    for (let bytes = waiting.take(); bytes; bytes = waiting.take()) {
      const rest = attempt(bytes);
      if (rest) return waiting.putBack(rest);
    }
  }

  /** Returns true once the notice is written, or waits to be written. */
  function tellLoss(): boolean {
    if (waiting.bytes() > maxWaitingBytes / 2) return false;
    const lines = lost;
    const begin = isTorn && waiting.isEmpty() ? '\n' : '';
    lost = 0;
    send(Buffer.from(begin + notice(lines, cause)));
    // The notice itself was dropped, and counted as a line.
    if (lost > 0) lost = lines;
    return lost === 0;
  }

  function later(ms: number) {
    timer ??= setTimeout(() => {
      timer = undefined;
      turn();
    }, ms).unref();
  }

  function turn() {
    drain();
    if (!waiting.isEmpty()) later(retryMs);
    else if (lost > 0) tellLoss();
  }

  return {
    write,
    flushSync(maxMs = flushMs) {
      const pause = new Int32Array(new SharedArrayBuffer(4));
      for (const end = performance.now() + maxMs; ; Atomics.wait(pause, 0, 0, 10)) {
        drain();
        if (waiting.isEmpty() || performance.now() > end) break;
      }
      if (lost > 0 && waiting.isEmpty()) tellLoss();
    },
  };
}

function byteQueue() {
  const pieces: Buffer[] = [];
  let bytes = 0;
  return {
    bytes: () => bytes,
    isEmpty: () => pieces.length === 0,
    add(piece: Buffer) {
      pieces.push(piece);
      bytes += piece.length;
    },
    take(): Buffer | undefined {
      const piece = pieces.shift();
      bytes -= piece?.length ?? 0;
      return piece;
    },
    putBack(piece: Buffer) {
      pieces.unshift(piece);
      bytes += piece.length;
    },
  };
}

/** A line in the form of the log's other lines. */
const notice = (lines: number, cause: string) =>
  `${JSON.stringify({ level: 40, time: new Date().toISOString(), lines_lost: lines, cause, msg: `${lines} ${lines === 1 ? 'line was' : 'lines were'} not written` })}\n`;
