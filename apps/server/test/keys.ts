import type { TestContext } from 'node:test';
import type { Scope } from '@paddock/contract';
import { startApi } from './server.ts';

export const reads: Scope[] = ['projects:read'];

/** A server with one person, who makes keys. */
export async function keyWorld(t: TestContext) {
  const server = await startApi(t);
  const ada = await server.person();
  const make = (more: Partial<Parameters<typeof ada.api.apiKeys.create>[0]> = {}) => ada.api.apiKeys.create({ name: 'CI', ...more });
  return { ...server, ada, make };
}

/** A call with a token. */
export const ask = (origin: string, token: string, path = '/projects') =>
  fetch(`${origin}/api/v1${path}`, { headers: { authorization: `Bearer ${token}` } });
