import { type Checkpoint, readCheckpoint } from './checkpoint.ts';
import { Broken, Malformed } from './failures.ts';
import type { PublicKey } from './keys.ts';
import { lineBatches } from './lines.ts';
import { parseLine } from './parse-line.ts';

interface Deps {
  files: readonly string[];
  key: PublicKey;
  signal?: AbortSignal | undefined;
  /** The first record that is not proven by a checkpoint so far, for reporting a bad line. */
  unprovenFrom: () => number;
}

/** The checkpoints of several files in the order of their ends. Each server writes the checkpoints that it signed. */
export async function openCheckpointFiles({ files, key, signal, unprovenFrom }: Deps) {
  const sources = files.map((file) => readCheckpoints(file, { key, signal, unprovenFrom }));
  const close = () => Promise.all(sources.map((source) => source.return(undefined)));
  const heads = await Promise.all(sources.map((source) => source.next())).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  const lowest = () => {
    let found = -1;
    for (const [at, head] of heads.entries()) if (!head.done && (found === -1 || head.value.seq < seqOf(heads[found]))) found = at;
    return found;
  };
  return {
    /** Returns the next checkpoint without consuming it; undefined after the last. */
    next(): Checkpoint | undefined {
      const head = heads[lowest()];
      return head?.done === false ? head.value : undefined;
    },
    async advance() {
      const at = lowest();
      const source = sources[at];
      if (source) heads[at] = await source.next();
    },
    close,
  };
}

export type Kept = Awaited<ReturnType<typeof openCheckpointFiles>>;

const seqOf = (head: IteratorResult<Checkpoint, void> | undefined) => (head?.done === false ? head.value.seq : Number.POSITIVE_INFINITY);

async function* readCheckpoints(
  file: string,
  { key, signal, unprovenFrom }: Omit<Deps, 'files'>,
): AsyncGenerator<Checkpoint, void, undefined> {
  let [line, last] = [0, 0];
  try {
    for await (const batch of lineBatches(file, { signal }))
      for (const bytes of batch) {
        line += 1;
        const checkpoint = readCheckpoint(parseLine(bytes), key);
        if (checkpoint.seq <= last) throw new Malformed('The checkpoint is out of order.');
        last = checkpoint.seq;
        yield checkpoint;
      }
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    throw new Broken(`${file}, line ${Math.max(line, 1)}: ${error.message}`, { seq: unprovenFrom() });
  }
}
