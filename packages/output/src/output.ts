import { type Sink, sinkOf } from './sink.ts';

export interface Output {
  /** Takes whole lines. Never throws and never waits: lines that cannot be written are dropped and counted. */
  write(lines: string): void;
  /** Tries for at most so long to write what waits for a slow reader. */
  flushSync(longestMs?: number): void;
}

/** Waits in memory while a reader is behind; further lines are dropped. */
const waitingBytes = 1024 * 1024;
const retryMs = 20;
/** How often an output that could not be written is tried with the line that says how many are missing. */
const noticeMs = 1000;
const flushMs = 500;
const newline = 0x0a;

let shared: Output | undefined;

/** The standard output of this process. What it still holds when the process ends is written, if that takes no longer than a moment. */
export function standardOutput(): Output {
  if (shared) return shared;
  const output = outputTo(sinkOf(1));
  process.on('exit', () => output.flushSync());
  shared = output;
  return output;
}

/** Lets the process live on when what others print (warnings, libraries) cannot be written. */
export function survivePrinting(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
}

/**
 * Lines into a file, pipe or terminal that may be full, slow or closed. Lines that cannot be written are dropped, and a line says how many
 * as soon as the output takes lines again.
 */
export function outputTo(sink: Sink): Output {
  let waiting: Buffer[] = [];
  let waitingNow = 0;
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
    if (waiting.length === 0) {
      const rest = attempt(bytes);
      if (rest) wait(rest);
    } else if (waitingNow + bytes.length > waitingBytes) drop(bytes, 'the reader was too slow');
    else wait(bytes);
  }

  /** What remains for a reader that is behind; undefined when all is written or dropped. */
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
    waiting.push(bytes);
    waitingNow += bytes.length;
    later(retryMs);
  }

  function drop(bytes: Buffer, why?: string) {
    for (const byte of bytes) if (byte === newline) lost += 1;
    cause = why ?? cause;
    later(noticeMs);
  }

  function drain() {
    for (let bytes = waiting.shift(); bytes; bytes = waiting.shift()) {
      waitingNow -= bytes.length;
      const rest = attempt(bytes);
      if (!rest) continue;
      waiting.unshift(rest);
      waitingNow += rest.length;
      return;
    }
  }

  /** True once the notice is written, or has its place among what waits. */
  function tellLoss(): boolean {
    if (waitingNow > waitingBytes / 2) return false;
    const lines = lost;
    const begin = isTorn && waiting.length === 0 ? '\n' : '';
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
    if (waiting.length > 0) later(retryMs);
    else if (lost > 0) tellLoss();
  }

  return {
    write,
    flushSync(longestMs = flushMs) {
      const pause = new Int32Array(new SharedArrayBuffer(4));
      for (const end = performance.now() + longestMs; ; Atomics.wait(pause, 0, 0, 10)) {
        drain();
        if (waiting.length === 0 || performance.now() > end) break;
      }
      if (lost > 0 && waiting.length === 0) tellLoss();
    },
  };
}

/** A line as the log's others are. */
const notice = (lines: number, cause: string) =>
  `${JSON.stringify({ level: 40, time: new Date().toISOString(), lines_lost: lines, cause, msg: `${lines} ${lines === 1 ? 'line was' : 'lines were'} not written` })}\n`;
