import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { defaultDataProtection } from '@paddock/contract/data-protection';
import type { Semaphore } from '@paddock/network';
import { NotOtlp, type ReadOptions, readJson, readProtobuf, readSemantics, type SentSpans } from '@paddock/otlp';
import type { BlankingOf } from '../../../protection/agent-secrets/known-secrets.ts';
import { resolveMasking } from '../../../protection/masking.ts';
import type { Protection, ProtectionOf } from '../../../protection/settings-store.ts';
import { readBody } from './body.ts';
import { blankSpan } from './content/blank-span.ts';
import type { createSpanMasker } from './content/mask-spans.ts';
import { credentialHeader, readCredential } from './credential.ts';
import type { DeploymentQuota } from './deployment-quota.ts';
import type { ReceiverLimits } from './limits.ts';
import type { LossCounter } from './loss-counter.ts';
import type { PiiCounter } from './pii-counter.ts';
import { Rejected } from './rejected.ts';
import { type OtlpEncoding, sendAccepted, sendRejected } from './responses.ts';
import { isPlausible, type NewSpan, toSpanRow } from './span-rows.ts';
import type { SpanStore } from './span-store.ts';

export interface ReceiverDeps {
  key: Uint8Array;
  bounds: ReceiverLimits;
  shares: DeploymentQuota;
  store: Pick<SpanStore, 'add'>;
  /** The team of the deployment, undefined if it is gone; cached. */
  teamOf: (deployment_id: string) => Promise<string | undefined>;
  protectionOf: ProtectionOf;
  tokenKey: Uint8Array;
  readBlanking: BlankingOf;
  maskSpans: ReturnType<typeof createSpanMasker>;
  found: Pick<PiiCounter, 'add'>;
  losses: Pick<LossCounter, 'add'>;
  /** Runs work when it is the team's turn. */
  atWork: Semaphore;
  warn: (err: unknown) => void;
}

const retry = { 'retry-after': '5' };
const nextMinute = { 'retry-after': '30' };
/** Bytes of a body that are still read for an exporter that is sending and would otherwise not see the response. */
const readOnBytes = 64 * 1024;

/** Handles one request of an exporter. Never rejects. */
export const createReceiver = (parts: ReceiverDeps) => async (request: IncomingMessage, response: ServerResponse) => {
  const form = readEncoding(request);
  try {
    const rejected = await receive(parts, request, form);
    sendAccepted(response, { form: form ?? 'json', rejected });
  } catch (error) {
    const refused = error instanceof Rejected ? error : new Rejected(503, 'Traces cannot be stored now. Try again.', { headers: retry });
    if (refused !== error && !request.destroyed) parts.warn(error);
    // The connection is kept if the rest of the body is read: closing it while bytes arrive would lose the response.
    if (!refused.isUnwelcome || Number(request.headers['content-length'] ?? Number.POSITIVE_INFINITY) <= readOnBytes) request.resume();
    else response.setHeader('connection', 'close').once('finish', () => request.destroy());
    sendRejected(response, refused);
  }
};

function readEncoding(request: IncomingMessage): OtlpEncoding | undefined {
  const type = /^[^;\s]*/.exec(request.headers['content-type'] ?? '')![0].toLowerCase();
  if (type === 'application/x-protobuf') return 'protobuf';
  return type === 'application/json' ? 'json' : undefined;
}

/** Returns the number of rejected spans. */
async function receive(parts: ReceiverDeps, request: IncomingMessage, form: OtlpEncoding | undefined): Promise<number> {
  const { key, bounds, shares, losses, teamOf } = parts;
  const signal = /^\/v1\/(traces|metrics|logs)$/.exec(request.url ?? '')?.[1];
  if (signal === undefined) throw new Rejected(404, 'OTLP/HTTP is at /v1/traces.');
  if (request.method !== 'POST') throw new Rejected(405, 'OTLP/HTTP sends with POST.');
  const header = request.headers[credentialHeader];
  const deployment_id = readCredential(key, typeof header === 'string' ? header : undefined);
  const team_id = deployment_id === undefined ? undefined : await teamOf(deployment_id);
  if (deployment_id === undefined || team_id === undefined) {
    await sleep(bounds.pauseMs);
    throw new Rejected(401, 'The credential is not that of a deployment. It stands in OTEL_EXPORTER_OTLP_HEADERS.', { isUnwelcome: true });
  }
  const end = shares.begin({ deployment_id, team_id });
  try {
    if (!end || shares.isSpent(deployment_id)) {
      await sleep(bounds.pauseMs);
      const message = end
        ? 'More bytes than this deployment may send in a minute.'
        : 'Too many sendings of this deployment or its team at a time.';
      throw new Rejected(429, message, { headers: end ? nextMinute : retry, isUnwelcome: true });
    }
    if (form === undefined) throw new Rejected(415, 'Send application/x-protobuf or application/json.');
    const body = await readBody(request, { ...bounds, charge: (bytes) => shares.charge(deployment_id, bytes) });
    if (signal === 'traces')
      return await parts.atWork(() => store(parts, deployment_id, (options) => read(body, form, options)), { owner: team_id });
    losses.add(deployment_id, { unused: 1 });
    return 0;
  } catch (error) {
    losses.add(deployment_id, { requests: 1 });
    throw error;
  } finally {
    end?.();
  }
}

function read(body: Buffer, form: OtlpEncoding, options: ReadOptions): SentSpans {
  try {
    return form === 'json' ? readJson(body.toString('utf8'), options) : readProtobuf(body, options);
  } catch (error) {
    if (error instanceof NotOtlp) throw new Rejected(400, error.message);
    throw error;
  }
}

/** The settings for a deployment that is gone. */
const nobody: Protection = { team_id: '', project_id: '', settings: defaultDataProtection };

async function store(parts: ReceiverDeps, deployment_id: string, readSpans: (options: ReadOptions) => SentSpans): Promise<number> {
  const { shares, losses, found } = parts;
  const protection = (await parts.protectionOf(deployment_id)) ?? nobody;
  const { team_id, settings } = protection;
  const { spans, unread } = readSpans({ keepsContent: settings.keep_span_content });
  const now_ns = BigInt(Date.now()) * 1_000_000n;
  const sensible = spans.filter((span) => isPlausible(span, now_ns));
  const taken = sensible.slice(0, shares.takeSpans(deployment_id, sensible.length));
  if (protection !== nobody && taken.length > 0) {
    const blanking = await parts.readBlanking(team_id, protection.project_id);
    for (const span of taken) blankSpan(span, blanking);
  }
  const understood = taken.map(readSemantics);
  const masking = resolveMasking(protection, parts.tokenKey);
  const counts = await parts.maskSpans(taken, { team_id, masking, understood });
  if (protection !== nobody && taken.length > 0 && masking.types.length > 0) found.add(protection, counts);
  const rows = taken.map((span, at) => countable(toSpanRow(span, understood[at]!), deployment_id, shares));
  const tooMany = rows.length > 0 ? await parts.store.add(deployment_id, rows) : 0;
  const rejected = unread + spans.length - rows.length + tooMany;
  losses.add(deployment_id, { spans: rejected, content: rows.reduce((sum, { content_dropped }) => sum + content_dropped, 0) });
  return rejected;
}

const countable = (row: NewSpan, deployment_id: string, shares: DeploymentQuota): NewSpan =>
  row.is_counted && row.model !== null ? { ...row, model: shares.countedAs(deployment_id, row.model) } : row;
