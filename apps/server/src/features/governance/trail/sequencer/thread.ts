import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { signingKey } from '@paddock/audit';
import { connect } from '../../../../db/connect.ts';
import { knownSecrets } from '../../../../protection/agent-secrets/known-secrets.ts';
import { secretReader } from '../../../../protection/agent-secrets/secret-store.ts';
import { type Keys, sealWith } from '../../../../secrets/seal.ts';
import { checkpointFiles } from '../checkpoints/checkpoint-files.ts';
import { checkpointStore } from '../checkpoints/checkpoint-store.ts';
import { checkpointInterval, createCheckpointSigner } from '../checkpoints/signer.ts';
import { createSequencer } from './sequence.ts';
import { sequenceStore } from './sequence-store.ts';

/** The thread's input. */
export interface SequencerInput {
  databaseUrl: string;
  /** The secret bytes of the signing key. */
  seed: Uint8Array;
  /** Secret: opens the secrets of agents, which are blanked in their output. */
  secretKeys: Keys;
  /** The folder of checkpoints. */
  folder: string;
  pace?: typeof checkpointInterval | undefined;
}
/** The thread's messages: that it works, or a warning for the operator. */
export type SequencerOutput = { ready: true } | { warning: string };

const input = workerData as SequencerInput;
/** Poll interval without notifications; after a busy turn it waits so that the next one has more to do. */
const pauseMs = { idle: 1_000, busy: 20, failed: 1_000 };
const signMs = 5_000;
const statementMs = 60_000;

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker's port has no origins
const post = (message: SequencerOutput) => parentPort!.postMessage(message);
const warn = (warning: string) => post({ warning });
const sql = connect(input.databaseUrl, { max: 3, name: 'paddock-audit', statementMs });
const key = signingKey(input.seed);
const store = checkpointStore(sql);
const secrets = knownSecrets(secretReader(sql, sealWith(input.secretKeys)));
const sequenceBatch = createSequencer({ store: sequenceStore(sql), readBlanking: secrets.readBlanking, warn });
const signDue = createCheckpointSigner({ store, key, warn, ...(input.pace ? { pace: input.pace } : {}) });
const catchUp = checkpointFiles(input.folder, store);
const closing = new AbortController();
let noticed = Promise.withResolvers<void>();

const listening = sql.listen(
  'audit',
  () => noticed.resolve(),
  () => noticed.resolve(),
);
const listeningForSecrets = sql.listen('secrets', secrets.changed, () => secrets.changed(''));
for (const subscription of [listening, listeningForSecrets])
  subscription.catch((error: unknown) => warn(`audit sequencer cannot subscribe to notifications: ${(error as Error).message}`));
post({ ready: true });

async function sequence(): Promise<void> {
  while (!closing.signal.aborted) {
    noticed = Promise.withResolvers();
    const made = await sequenceBatch().catch((error: unknown) => {
      warn(`audit sequencing failed; retrying: ${(error as Error).message}`);
      return undefined;
    });
    if (made === undefined) await pause(pauseMs.failed);
    else if (made) await pause(pauseMs.busy);
    else await Promise.race([noticed.promise, pause(pauseMs.idle)]);
  }
}

async function sign(): Promise<void> {
  while (!closing.signal.aborted) {
    try {
      const made = await signDue(closing.signal);
      await catchUp();
      if (made > 0) continue;
    } catch (error) {
      warn(`audit checkpoint signing failed; retrying: ${(error as Error).message}`);
    }
    await pause(input.pace ? Math.min(signMs, input.pace.everySeconds * 1000) : signMs);
  }
}

const pause = (ms: number) => sleep(ms, undefined, { signal: closing.signal, ref: true }).catch(() => undefined);

const done = Promise.all([sequence(), sign()]);
parentPort!.once('message', () => {
  closing.abort();
  noticed.resolve();
  void done.then(() => sql.end({ timeout: 1 })).then(() => parentPort!.close());
});
