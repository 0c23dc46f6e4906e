import { type FSWatcher, watch } from 'node:fs';
import { open } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Instance, type RuntimeDriver, withoutLauncher } from '@paddock/runtime';
import type { Log } from '../../log.ts';
import type { NewLine } from './append.ts';
import { agentLevel } from './levels.ts';
import type { MaskLines } from './mask-lines.ts';
import type { Offset } from './offset-store.ts';
import { splitLines } from './split-lines.ts';
import type { LogStore } from './store.ts';

const chunkBytes = 512 * 1024;
const batchMs = 50;
/** Maximum share of the time spent on one instance's output, so that a flood does not block the output of others. */
const maxShare = 1 / 4;
/** Quick polls for a file that does not exist yet; later polls are once a second. */
const quickTries = 100;
/** Maximum backlog. The middle of a longer one is dropped, and a line reports how much. */
const maxBacklogBytes = 64 * 1024 * 1024;
/** An unfinished line (a prompt, or "Loading...") is stored after this long without more output. */
const unfinishedMs = 1_000;
/** The file's disk space is released each time this much has been stored. */
const releaseBytes = 4 * 1024 * 1024;

type Stream = 'stdout' | 'stderr';
type Streams = Record<Stream, Offset>;

/**
 * Follows one instance's output until the instance has exited and all output is stored. While the database is away the collector waits and
 * loses nothing: the output stays in the files.
 */
export async function collectOutput(
  { driver, store, mask, log }: { driver: RuntimeDriver; store: LogStore; mask: MaskLines; log: Log },
  instance: Pick<Instance, 'id' | 'deployment_id'>,
  { hasExited, signal }: { hasExited: () => boolean; signal: AbortSignal },
) {
  const files = driver.output(instance.id);
  const wake = wakeOnChange([files.stdout, files.stderr]);
  const unfinished = unfinishedLines();
  let released = 0;
  try {
    let at: (Streams & { team_id: string }) | undefined;
    while (!signal.aborted) {
      try {
        at ??= await store.offsets(instance.deployment_id, instance.id);
        if (!at) return; // the deployment was deleted
        const ended = hasExited(); // checked before reading, so that the read surely includes everything
        const begun = performance.now();
        const { moves, lines } = await readBoth(files, at, { ended, unfinished });
        if (moves.length) {
          const masked = await mask(instance.deployment_id, lines);
          // failpoint: lines-read
          if (!(await store.collect(at.team_id, instance.deployment_id, { ...masked, moves })))
            at = undefined; // another collector moved the offset first: read it again
          else for (const { to } of moves) at[to.stream] = to;
          // failpoint: lines-stored
          if (at && at.stdout.stored_bytes + at.stderr.stored_bytes - released > releaseBytes) {
            released = at.stdout.stored_bytes + at.stderr.stored_bytes;
            await driver.releaseOutput(instance.id, { stdout: at.stdout.stored_bytes, stderr: at.stderr.stored_bytes });
          }
          const pause = ended ? 0 : (performance.now() - begun) * (1 / maxShare - 1);
          await sleep(Math.max(batchMs, pause), undefined, { signal });
        } else if (ended) return;
        else await wake.wait(1000, signal);
      } catch (error) {
        if (signal.aborted) return;
        log.warn({ err: error, instance: instance.id }, 'output collection failed; retrying');
        at = undefined;
        await sleep(1000, undefined, { signal }).catch(() => 'stopping');
      }
    }
  } finally {
    wake.close();
  }
}

interface Reading {
  ended: boolean;
  unfinished: ReturnType<typeof unfinishedLines>;
}

async function readBoth(files: Record<Stream, string>, at: Streams, { ended, unfinished }: Reading) {
  const lines: NewLine[] = [];
  const moves: { from: Offset; to: Offset }[] = [];
  const created_at = new Date().toISOString();
  for (const stream of ['stdout', 'stderr'] as const) {
    const from = at[stream];
    const { chunk, dropped, atEnd } = await readFrom(files[stream], from.stored_bytes);
    if (dropped)
      lines.push({
        level: 'warning',
        source: 'platform',
        created_at,
        message: `${dropped} bytes of output were dropped here: the agent writes faster than lines can be stored`,
      });
    const start = from.stored_bytes + dropped;
    const skipped = unfinished.isEndOfStored(stream, { start, chunk }) ? 1 : 0;
    const rest = chunk.subarray(skipped);
    let split = splitLines(rest, from.is_cut || dropped > 0, ended && atEnd);
    const end = start + chunk.length;
    if (atEnd && !split.is_cut && split.used < rest.length && unfinished.isOverdue(stream, end)) split = splitLines(rest, false, true);
    for (const message of split.lines.map(withoutLauncher))
      lines.push({ level: agentLevel(message, stream), source: 'agent', message, created_at });
    const to = { ...from, stored_bytes: start + skipped + split.used, is_cut: split.is_cut };
    if (to.stored_bytes !== from.stored_bytes) moves.push({ from, to });
  }
  return { lines, moves };
}

/** Tracks how long the last line of each stream has lacked its end, and whether it was stored without one. */
function unfinishedLines() {
  const waiting = new Map<Stream, { end: number; since: number }>();
  const stored = new Map<Stream, number>();
  return {
    /** Whether nothing has followed for long enough; the line then counts as stored. */
    isOverdue(stream: Stream, end: number): boolean {
      const known = waiting.get(stream);
      if (known?.end !== end) waiting.set(stream, { end, since: performance.now() });
      else if (performance.now() - known.since >= unfinishedMs) {
        stored.set(stream, end);
        return true;
      }
      return false;
    },
    /** Whether the chunk begins with the late end of a line that is already stored. */
    isEndOfStored: (stream: Stream, { start, chunk }: { start: number; chunk: Buffer }) =>
      chunk[0] === newline && stored.get(stream) === start,
  };
}
const newline = 10;

async function readFrom(path: string, offset: number): Promise<{ chunk: Buffer; dropped: number; atEnd: boolean }> {
  const file = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined; // removed, or not created yet
    throw error;
  });
  if (!file) return { chunk: Buffer.alloc(0), dropped: 0, atEnd: true };
  try {
    const { size } = await file.stat();
    const dropped = size - offset > maxBacklogBytes ? size - offset - maxBacklogBytes / 2 : 0;
    const length = Math.min(chunkBytes, size - offset - dropped);
    if (length <= 0) return { chunk: Buffer.alloc(0), dropped: 0, atEnd: true };
    const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(length), 0, length, offset + dropped);
    return { chunk: buffer.subarray(0, bytesRead), dropped, atEnd: offset + dropped + bytesRead >= size };
  } finally {
    await file.close();
  }
}

/** File events wake the loop at once; the timeout covers events that a watcher misses. */
function wakeOnChange(paths: string[]) {
  let resolve: () => void = () => undefined;
  let changed = false;
  const heard = () => {
    changed = true;
    resolve();
  };
  const watchers = new Map<string, FSWatcher>();
  let tries = 0;
  /** The files of a new instance are created a moment after the instance is known. */
  function watchAll() {
    for (const path of paths) {
      if (watchers.has(path)) continue;
      try {
        watchers.set(path, watch(path, { persistent: false }, heard).on('error', heard));
        changed = true; // writes before the watcher started raise no event
      } catch {
        tries += 1; // no file yet, or no watcher available: until then the timeout alone drives the loop
      }
    }
  }
  return {
    async wait(maxMs: number, signal: AbortSignal) {
      watchAll();
      const ms = watchers.size < paths.length && tries < quickTries ? batchMs : maxMs;
      if (!changed) {
        const timer = new AbortController();
        await Promise.race([
          new Promise<void>((done) => (resolve = done)),
          sleep(ms, undefined, { signal: AbortSignal.any([signal, timer.signal]) }).catch(() => 'woken'),
        ]);
        timer.abort();
      }
      changed = false;
    },
    close: () => watchers.forEach((watcher) => watcher.close()),
  };
}
