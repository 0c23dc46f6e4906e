import '../../../../process/patient-thread.ts';
import { parentPort, workerData } from 'node:worker_threads';
import { signingKey } from '@paddock/audit';
import { connect } from '../../../../db/connect.ts';
import { auditStore } from '../audit-log-store.ts';
import { checkpointStore } from '../checkpoints/checkpoint-store.ts';
import { removalStore } from '../removals/removal-store.ts';
import { chainExport, filteredRecords } from './chain-export.ts';
import { exportText, type WantedExport } from './create-export.ts';

/** The thread's input. */
export interface ExporterInput {
  databaseUrl: string;
  /** The secret bytes of the signing key. */
  seed: Uint8Array;
}
/** Requests the next part of an export, which the first message starts; or ends it. */
export type ExporterQuestion = { id: number; next: WantedExport } | { id: number; end: true };
export type ExporterAnswer = { id: number; text: string; isLast: boolean } | { id: number; error: string };

const partLetters = 64 * 1024;
const statementMs = 60_000;

const { databaseUrl, seed } = workerData as ExporterInput;
const sql = connect(databaseUrl, { max: 2, name: 'paddock-exports', statementMs });
const store = auditStore(sql);
const key = signingKey(seed);
const begin = exportText({
  filteredRecords: (team_id, filter) => filteredRecords(store, team_id, filter),
  chain: chainExport({ store, checkpoints: checkpointStore(sql), removals: removalStore(sql, async () => key), key }),
});
const running = new Map<number, AsyncGenerator<string>>();

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker's port has no origins
const answer = (message: ExporterAnswer) => parentPort!.postMessage(message);

parentPort!.on('message', (question: ExporterQuestion) => {
  const { id } = question;
  if ('end' in question) {
    const ended = running.get(id);
    running.delete(id);
    void ended?.return(undefined).catch(() => undefined);
    return;
  }
  const text = running.get(id) ?? begin(question.next);
  running.set(id, text);
  nextPart(text).then(
    (part) => {
      if (part.isLast) running.delete(id);
      answer({ id, ...part });
    },
    (error: unknown) => {
      running.delete(id);
      answer({ id, error: (error as Error).message });
    },
  );
});

async function nextPart(text: AsyncGenerator<string>): Promise<{ text: string; isLast: boolean }> {
  const parts: string[] = [];
  for (let letters = 0; letters < partLetters; ) {
    const { value, done } = await text.next();
    if (done) return { text: parts.join(''), isLast: true };
    parts.push(value);
    letters += value.length;
  }
  return { text: parts.join(''), isLast: false };
}
