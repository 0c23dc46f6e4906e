import { Readable } from 'node:stream';
import { Worker } from 'node:worker_threads';
import { governanceLimits } from '@paddock/contract/limits';
import { teamPlaces } from '../../../../http/team-places.ts';
import type { WantedExport } from './create-export.ts';
import type { ExporterAnswer, ExporterInput, ExporterQuestion } from './thread.ts';

/** Heap limit, for a page of each export and trees. */
const memoryMb = 512;
const idleMs = 60_000;
/** Timeout of a caller that reads nothing, and of a thread that does not respond. */
const usualStallMs = 120_000;
const maxMs = 3_600_000;
const { exportsPerTeam: perTeam, exportsAtOnce: atOnce } = governanceLimits;
const detail = `At most ${perTeam} exports of a team's trail are made at a time, and ${atOnce} of all teams. Wait until one has ended.`;

const types: Record<WantedExport['format'], { suffix: string; content_type: string }> = {
  json: { suffix: 'json', content_type: 'application/json; charset=utf-8' },
  jsonl: { suffix: 'jsonl', content_type: 'application/x-ndjson; charset=utf-8' },
  csv: { suffix: 'csv', content_type: 'text/csv; charset=utf-8' },
  ocsf: { suffix: 'ocsf.jsonl', content_type: 'application/x-ndjson; charset=utf-8' },
};

interface StreamInput {
  wanted: WantedExport;
  signal: AbortSignal;
  leave: () => void;
}

/**
 * Creates files of the trail in a thread, a few of each team at a time, so that reading, hashing and writing never block the
 * server's own work. The thread is started with the first export, and ends after a while without exports.
 */
export function startExporter(input: () => Promise<ExporterInput>, { stallMs = usualStallMs }: { stallMs?: number } = {}) {
  const places = teamPlaces({ perTeam, atOnce, detail, retry_after_s: 10 });
  /** Receivers of the thread's messages by export. */
  const running = new Map<number, (answer: ExporterAnswer) => void>();
  let thread: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;
  let lastId = 0;

  /** Throws too_many_requests. */
  return async function exportFile(wanted: WantedExport, signal: AbortSignal) {
    const leave = places.enter(wanted.team_id);
    try {
      const given = await input();
      thread ??= start(given);
    } catch (error) {
      leave();
      throw error;
    }
    const { suffix, content_type } = types[wanted.format];
    const stamp = new Date().toISOString().replaceAll(/[:.]/g, '-');
    return { file_name: `audit-logs-${stamp}.${suffix}`, content_type, body: createExportStream(thread, { wanted, signal, leave }) };
  };

  function createExportStream(owner: Worker, { wanted, signal, leave }: StreamInput): Readable {
    const id = ++lastId;
    clearTimeout(idle);
    owner.ref();
    const stalled = () => body.destroy(new Error('the export of the audit trail stood still for too long'));
    let timer = setTimeout(stalled, stallMs).unref();
    const extend = () => {
      clearTimeout(timer);
      timer = setTimeout(stalled, stallMs).unref();
    };
    const end = AbortSignal.any([signal, AbortSignal.timeout(maxMs)]);
    const body: Readable = new Readable({
      read() {
        extend();
        ask(owner, { id, next: wanted });
      },
      destroy(error, done) {
        clearTimeout(timer);
        end.removeEventListener('abort', cut);
        ask(owner, { id, end: true });
        running.delete(id);
        leave();
        if (running.size === 0) rest();
        done(error);
      },
    });
    body.on('error', () => undefined); // if it fails before it is sent, the sender finds it destroyed
    const cut = () => body.destroy(new Error('the export of the audit trail was cut off'));
    running.set(id, (answer) => {
      extend();
      if ('error' in answer) return void body.destroy(new Error(answer.error));
      if (answer.text !== '') body.push(answer.text);
      if (answer.isLast) body.push(null);
    });
    if (end.aborted) cut();
    else end.addEventListener('abort', cut);
    return body;
  }

  function rest(): void {
    const resting = thread;
    resting?.unref();
    idle = setTimeout(() => {
      if (resting === thread) thread = undefined;
      void resting?.terminate();
    }, idleMs).unref();
  }

  function start(given: ExporterInput): Worker {
    const started = exporterThread(given);
    const ended = (error: string) => {
      if (started !== thread) return; // it ended because it was idle, and has no exports
      thread = undefined;
      for (const [id, answered] of [...running]) answered({ id, error });
    };
    started.on('message', (answer: ExporterAnswer) => running.get(answer.id)?.(answer));
    started.once('error', (error) => ended(`the exporter of the audit trail failed: ${error.message}`));
    started.once('exit', () => ended('the exporter of the audit trail ended'));
    return started;
  }
}

function ask(owner: Worker, question: ExporterQuestion): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker's port has no origins
  owner.postMessage(question);
}

const exporterThread = (given: ExporterInput): Worker =>
  new Worker(new URL('./thread.ts', import.meta.url), {
    workerData: given,
    execArgv: ['--disable-warning=ExperimentalWarning'],
    stdin: false,
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
  });
