import { ApiError } from '@paddock/contract/errors';
import { mcpLimits } from '@paddock/contract/limits';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { teamPlaces } from '../http/team-places.ts';
import { type Api, injectedApi } from './inject-api.ts';

const { perPerson: perTeam, atOnce, bodyBytes } = mcpLimits;
const detail = `At most ${perTeam} MCP requests of a person are answered at a time. Wait until one has ended.`;

/**
 * The MCP server for coding agents at `/mcp`: streamable HTTP without sessions, for an API key (or a session's token) as Bearer. Each tool
 * calls the API as that caller.
 */
export function serveMcp(app: FastifyInstance, { version }: { version: string }) {
  const places = teamPlaces({ perTeam, atOnce, detail, retry_after_s: 5 });
  const callers = new WeakMap<FastifyRequest, { api: Api; user_id: string }>();
  /** Runs before the body is read, which may be large. */
  async function identify(request: FastifyRequest) {
    const { authorization, 'user-agent': user_agent = '' } = request.headers;
    if (authorization === undefined) throw new ApiError('not_signed_in');
    const api = injectedApi(app, { authorization, ip: request.ip, user_agent });
    const { user } = await api.apiKeys.validate();
    callers.set(request, { api, user_id: user.id });
  }
  app.post('/mcp', { bodyLimit: bodyBytes, onRequest: identify }, async (request, reply) => {
    const { api, user_id } = callers.get(request)!;
    // A batch would run all its calls at once. The protocol has none since 2025-06-18.
    if (Array.isArray(request.body)) throw new ApiError('input_invalid', { errors: [{ path: '', message: 'Send one message at a time' }] });
    const leave = places.enter(user_id);
    const hangUp = new AbortController();
    reply.raw.once('close', () => hangUp.abort());
    try {
      // Loaded with the first request: most installations have none.
      const { answerMcp } = await import('./answer-mcp.ts');
      const call = { api, signal: hangUp.signal };
      const answer = await answerMcp({ call, version, headers: ownHeaders(request), body: request.body });
      for (const [name, value] of answer.headers) if (name !== 'content-length') reply.header(name, value);
      return await reply.code(answer.status).send(await answer.text());
    } finally {
      leave();
    }
  });
}

/** The headers that the protocol reads. */
function ownHeaders({ headers }: FastifyRequest): Headers {
  const own = new Headers({ 'content-type': 'application/json' });
  for (const name of ['accept', 'mcp-protocol-version']) {
    const value = headers[name];
    if (typeof value === 'string') own.set(name, value);
  }
  return own;
}
