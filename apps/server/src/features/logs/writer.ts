import { logLimits } from '@paddock/contract/limits';
import type { Log } from '../../log.ts';
import type { NewLine } from './append.ts';
import { buildLevel } from './levels.ts';
import type { MaskLines } from './mask-lines.ts';
import { cutMark } from './split-lines.ts';
import type { LogStore } from './store.ts';

const flushMs = 150;
const batchLines = 1000;
/** When a build writes faster than lines can be stored, the middle is dropped and a line reports how many. */
const maxWaiting = 20_000;

/** Writes lines of the platform and of builds into one deployment's log, in order and in batches. */
export function logWriter(
  { store, mask, log }: { store: LogStore; mask: MaskLines; log: Log },
  { team_id, id }: { team_id: string; id: string },
) {
  let waiting: NewLine[] = [];
  let dropped = 0;
  let timer: NodeJS.Timeout | undefined;
  let storing = Promise.resolve();
  /** The last attempt to store lines, while its outcome is unknown. */
  let unsettled: { transaction: string; lines: number } | undefined;

  const add = (line: Omit<NewLine, 'created_at'>) => {
    if (waiting.length >= maxWaiting) {
      dropped += 1;
      return;
    }
    waiting.push({ ...line, message: fit(line.message), created_at: new Date().toISOString() });
    timer ??= setTimeout(() => void flush(), flushMs);
  };
  const flush = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    storing = storing.then(async () => {
      while (waiting.length) {
        const batch = waiting.slice(0, batchLines);
        try {
          if (await wasStored()) continue;
          await store.append(team_id, id, {
            ...(await mask(id, batch)),
            onBegun: (transaction) => (unsettled = { transaction, lines: batch.length }),
          });
          unsettled = undefined;
        } catch (error) {
          log.warn({ err: error, deployment: id }, 'log lines not stored; retrying with the next batch');
          timer ??= setTimeout(() => void flush(), 2000);
          return;
        }
        waiting = waiting.slice(batch.length);
        if (!waiting.length && dropped) {
          const lost = dropped;
          dropped = 0;
          waiting.push({
            level: 'warning',
            source: 'platform',
            message: `${lost} lines were dropped here: the build writes faster than lines can be stored`,
            created_at: new Date().toISOString(),
          });
        }
      }
    });
    return storing;
  };
  /** True when the previous attempt was committed although its response got lost: its lines are done. */
  async function wasStored() {
    if (!unsettled) return false;
    const outcome = await store.outcome(unsettled.transaction);
    if (outcome === 'in progress') throw new Error('the last try to store lines is not over yet');
    if (outcome === 'committed') waiting = waiting.slice(unsettled.lines);
    unsettled = undefined;
    return outcome === 'committed';
  }
  return {
    write: (source: 'build' | 'platform', level: NewLine['level'], message: string) =>
      message.split('\n').forEach((line) => add({ source, level, message: line })),
    build: (_stream: 'stdout' | 'stderr', line: string) => add({ source: 'build', level: buildLevel(line), message: line }),
    flush,
    /** Masks a text that quotes the log by the project's settings. */
    async masked(text: string): Promise<string> {
      const created_at = new Date().toISOString();
      const { lines } = await mask(
        id,
        text.split('\n').map((message) => ({ level: 'error', source: 'platform', message, created_at })),
      );
      return lines.map(({ message }) => message).join('\n');
    },
  };
}

function fit(message: string) {
  const clean = message.replaceAll('\0', '\uFFFD');
  if (Buffer.byteLength(clean) <= logLimits.lineBytes) return clean;
  return Buffer.from(clean).subarray(0, logLimits.lineBytes).toString('utf8') + cutMark;
}
