import assert from 'node:assert/strict';
import { type Contract, contract, type ErrorCode, type Problem, type Route } from '@paddock/contract';
import type { FastifyInstance } from 'fastify';
import { everyCallsErrors, listErrors } from '../src/http/docs/reference/call-errors.ts';

const routes = new Map<string, Route>();
for (const group of Object.values(contract as Contract))
  for (const route of Object.values(group)) routes.set(`${route.method} /api/v1${route.path}`, route);

/** Observes the errors of calls. The returned check fails when a call had an error that the reference does not list. */
export function watchErrors(app: FastifyInstance): () => void {
  const untold = new Set<string>();
  app.addHook('onSend', async (request, reply, payload) => {
    const call = `${request.method} ${request.routeOptions.url}`;
    const route = routes.get(call);
    if (!route || reply.statusCode < 400 || typeof payload !== 'string') return;
    const { code } = JSON.parse(payload) as Problem & { code: ErrorCode };
    // `DELETE /auth/sessions/end-others` is routed as the end of a session with that id: the refusal belongs to the other path.
    if (code === 'method_not_allowed') return;
    if (!everyCallsErrors.includes(code) && !listErrors(route).includes(code)) untold.add(`${call}: ${code}`);
  });
  return () => assert.deepEqual([...untold], []);
}
