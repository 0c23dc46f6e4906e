import { createHash, timingSafeEqual } from 'node:crypto';
import { ApiError } from '@paddock/contract';
import { toNetworkKey } from '@paddock/network';
import type { FastifyRequest } from 'fastify';
import { bearerToken } from '../../../http/authenticate.ts';
import { withDeadline } from '../../../http/deadline.ts';
import type { RateLimit } from '../../../http/rate-limit.ts';
import type { RouteSet } from '../../../http/serve.ts';
import { textType } from './text.ts';

/**
 * Wrong tokens from one network within 15 minutes. The right token is never refused: strangers behind the same address must not block Prometheus.
 */
const maxAttempts = 20;

interface Deps {
  token: string;
  limit: RateLimit;
  text: () => Promise<string>;
}

/** `GET /-/metrics`. Not a call of the API: the caller is Prometheus, not a person of a team. */
export const prometheusRoutes =
  ({ token, limit, text }: Deps): RouteSet =>
  (app) => {
    app.get('/-/metrics', async (request, reply) => {
      await admit(request);
      const answer = await withDeadline(text());
      return reply.header('content-type', textType).header('cache-control', 'no-store').send(answer);
    });

    async function admit({ headers, ip }: FastifyRequest): Promise<void> {
      const given = bearerToken(headers.authorization);
      if (given === undefined) throw new ApiError('not_signed_in', { detail: howTo });
      if (isSame(given, token)) return;
      await limit.take([{ key: `metrics-token:address:${toNetworkKey(ip)}`, max: maxAttempts, windowSeconds: 900 }]);
      throw new ApiError('not_signed_in', { detail: howTo });
    }
  };

const howTo = 'Send the value of PADDOCK_METRICS_TOKEN as "Authorization: Bearer …".';

/** Takes the same time for every wrong token, because hashes have equal length. */
const isSame = (a: string, b: string) => timingSafeEqual(hashOf(a), hashOf(b));
const hashOf = (text: string) => createHash('sha256').update(text).digest();
