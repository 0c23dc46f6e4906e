import { ApiError, type Contract } from '@paddock/contract';
import type { FastifyInstance } from 'fastify';

/** A known address with another method is told so (405 with Allow), not 'not found'. */
export function refuseOtherMethods(app: FastifyInstance, contract: Contract) {
  const methods = new Map<string, Set<string>>();
  for (const route of Object.values(contract).flatMap((routes) => Object.values(routes)))
    methods.set(route.path, (methods.get(route.path) ?? new Set()).add(route.method));
  for (const [path, allowed] of methods)
    for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'PATCH'] as const)
      if (!allowed.has(method) && !(method === 'GET' && allowed.has('GET')))
        app.route({
          method,
          url: `/api/v1${path}`,
          handler: (_, reply) => {
            reply.header('allow', [...allowed].join(', '));
            throw new ApiError('method_not_allowed');
          },
        });
}
