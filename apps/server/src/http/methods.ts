import { METHODS } from 'node:http';
import { ApiError } from '@paddock/contract';
import type { FastifyInstance } from 'fastify';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** For a route with parameters that stands for a fixed set of addresses: whether this path is one of them. */
    exists?: (path: string) => boolean;
  }
}

/**
 * Answers a method that an address does not support with 405 and Allow, whatever the method's name, and an unknown address with 404 for every
 * method; both before a body is read. Call it before the first route is added.
 */
export function refuseOtherMethods(app: FastifyInstance) {
  // Without this the framework fails on methods that Node knows and it does not.
  for (const method of METHODS) if (!app.supportedMethods.includes(method)) app.addHttpMethod(method);
  const byUrl = new Map<string, Set<string>>();
  const withNames: { pattern: RegExp; exists: (path: string) => boolean; methods: Set<string> }[] = [];
  app.addHook('onRoute', ({ method, url, config }) => {
    let methods = byUrl.get(url);
    if (!methods) {
      methods = new Set();
      byUrl.set(url, methods);
      if (url.includes(':')) withNames.push({ pattern: patternOf(url), exists: config?.exists ?? (() => true), methods });
    }
    for (const each of [method].flat()) methods.add(each);
  });

  function methodsAt(url: string): Set<string> | undefined {
    if (url === '*') return new Set([...byUrl.values()].flatMap((methods) => [...methods]));
    const path = parsePath(url);
    const methods = byUrl.get(path) ?? withNames.find(({ pattern, exists }) => pattern.test(path) && exists(path))?.methods;
    return methods ?? (isPage(path) ? pageMethods : undefined);
  }

  app.addHook('onRequest', async ({ method, url }, reply) => {
    const methods = methodsAt(url);
    if (!methods) throw new ApiError('route_not_found');
    if (methods.has(method) && url !== '*') return;
    const allowed = [...methods].sort().join(', ');
    reply.header('allow', allowed);
    throw new ApiError('method_not_allowed', { detail: `This address does not accept ${method}. It takes ${allowed}.` });
  });
}

/** The console handles every address that is no call, not reserved for machines, and does not look like a file. */
const isPage = (path: string) => !/^\/(api|ws|-)(\/|$)/.test(path) && !/\.\w+$/.test(path);
const pageMethods = new Set(['GET', 'HEAD']);

/** The path as the router reads it: without a trailing slash, and without the origin of an absolute form. */
function parsePath(url: string): string {
  const path = url.replace(/^https?:\/\/[^/?]*/i, '').split('?', 1)[0] || '/';
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
}

const patternOf = (url: string) => new RegExp(`^${url.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/:\w+/g, '[^/]+')}$`);
