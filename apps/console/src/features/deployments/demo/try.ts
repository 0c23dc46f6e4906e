import type { Client } from '@paddock/client';
import type { TryEvent } from '@paddock/contract';
import { ApiError } from '@paddock/contract/errors';
import type { contract } from '@paddock/contract/routes';
import { pause } from '../../../demo/answering.ts';
import type { DemoWorld } from '../../../demo/demo-world.ts';
import { demoAnswer } from './agent-answers.ts';

const firstMs = 120;

/** Sends a request to an agent of the demo, which responds word by word, as a model would. */
export const demoTry =
  (world: DemoWorld): Client<typeof contract>['deployments']['try'] =>
  async ({ id, method = 'GET', path = '/', body = '' }, { signal } = {}) => {
    await pause(firstMs, signal);
    const deployment = world.deployments.find(({ row }) => row.id === id);
    if (!deployment) throw new ApiError('deployment_not_found');
    if (deployment.row.deployment_url === null) throw new ApiError('deployment_cannot_answer');
    return events(demoAnswer({ method, path, body }), signal);
  };

async function* events({ status, type, pieces, pieceMs }: ReturnType<typeof demoAnswer>, signal?: AbortSignal): AsyncGenerator<TryEvent> {
  const startedAt = performance.now();
  const since = () => firstMs + Math.round(performance.now() - startedAt);
  const headers = { 'content-type': type, date: new Date().toUTCString(), 'x-request-id': `req_${crypto.randomUUID()}` };
  yield { head: { status, headers: Object.entries(headers).map(([name, value]) => ({ name, value })), first_byte_ms: since() } };
  let bytes = 0;
  for (const piece of pieces) {
    await pause(pieceMs, signal);
    const sent = new TextEncoder().encode(piece);
    bytes += sent.length;
    yield { chunk: btoa(String.fromCharCode(...sent)) };
  }
  yield { end: { outcome: 'complete', detail: '', bytes, total_ms: since() } };
}
