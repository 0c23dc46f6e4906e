import { createServer } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';
import { createSemaphore } from '@paddock/network';
import { connect } from '../../../db/connect.ts';
import { knownSecrets } from '../../../protection/agent-secrets/known-secrets.ts';
import { secretReader } from '../../../protection/agent-secrets/secret-store.ts';
import { createProtectionReader } from '../../../protection/settings-store.ts';
import { type Keys, sealWith } from '../../../secrets/seal.ts';
import { cachedLookup } from './cached-lookup.ts';
import { connectionQuota } from './connection-quota.ts';
import { createSpanMasker } from './content/mask-spans.ts';
import { traceValues } from './content/trace-values.ts';
import { deploymentQuota } from './deployment-quota.ts';
import { type ReceiverLimits, receiverLimits } from './limits.ts';
import { lossCounter } from './loss-counter.ts';
import { piiCounter } from './pii-counter.ts';
import { createReceiver } from './receive.ts';
import { spanStore } from './span-store.ts';

/** The thread's input. */
export interface ReceiverInput {
  databaseUrl: string;
  port: number;
  key: Uint8Array;
  /** Key of the tokens that replace values. */
  tokenKey: Uint8Array;
  /** Secret: opens the secrets of agents, which are blanked in their spans. */
  secretKeys: Keys;
  bounds?: Partial<ReceiverLimits> | undefined;
}
/** The thread's messages: that it listens, or a warning for the operator. */
export type ReceiverOutput = { port: number } | { warning: string };

const input = workerData as ReceiverInput;
const bounds: ReceiverLimits = { ...receiverLimits, ...input.bounds };
const heldValues = { keptMs: 60_000, traces: 200, values: 1_000, allValues: 20_000 };
const flushMs = 5_000;
const idleMs = 60_000;
/** An agent that times out retries; a longer wait would hold its connection and its share. */
const statementMs = 8_000;

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker's port has no origins
const post = (message: ReceiverOutput) => parentPort!.postMessage(message);
const warn = (what: string) => (error: unknown) => post({ warning: `${what}: ${error instanceof Error ? error.message : String(error)}` });
const sql = connect(input.databaseUrl, { max: 4, name: 'paddock-traces', statementMs });
const store = spanStore(sql);
const secrets = knownSecrets(secretReader(sql, sealWith(input.secretKeys)));
sql.listen('secrets', secrets.changed, () => secrets.changed('')).catch(warn('trace receiver cannot subscribe to secret changes'));
const lost = lossCounter({ store, most: bounds.deployments, warn: warn('trace loss counts cannot be written; buffering') });
const found = piiCounter({ store, most: bounds.deployments, warn: warn('counts of personal data in spans cannot be written; buffering') });
const receive = createReceiver({
  key: input.key,
  bounds,
  shares: deploymentQuota(bounds),
  store,
  teamOf: cachedLookup(store.findTeam),
  protectionOf: createProtectionReader(sql),
  tokenKey: input.tokenKey,
  maskSpans: createSpanMasker({ values: traceValues(heldValues), bounds }),
  readBlanking: secrets.readBlanking,
  found,
  losses: lost,
  atWork: createSemaphore(bounds.atWork),
  warn: warn('traces cannot be stored'),
});
const server = createServer(
  { maxHeaderSize: bounds.headBytes, requestTimeout: bounds.requestMs, headersTimeout: bounds.requestMs, keepAliveTimeout: idleMs },
  // It never rejects.
  (request, response) => void receive(request, response),
);
server.maxConnections = bounds.connections;
server.on('connection', connectionQuota(bounds.connectionsOfOne));
const flush = () => Promise.all([lost.flush(), found.flush()]);
const flushing = setInterval(() => void flush(), flushMs);
server.listen(input.port, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object' && address) post({ port: address.port });
});

parentPort!.once('message', () => {
  clearInterval(flushing);
  server.closeAllConnections();
  server.close(
    () =>
      void flush()
        .then(() => sql.end({ timeout: 1 }))
        .catch(warn('graceful shutdown of the trace receiver failed')),
  );
  parentPort!.close();
});
