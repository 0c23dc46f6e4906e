import type { Database, DatabaseType } from '@paddock/contract';
import { ApiError } from '@paddock/contract/errors';
import { demoPorts } from './samples.ts';

const schemes = { postgresql: ['postgresql:', 'postgres:'], redis: ['redis:', 'rediss:'] } as const satisfies Record<
  DatabaseType,
  string[]
>;
const words = { postgresql: 'PostgreSQL', redis: 'Redis' } as const;

/** The result of the server's check of an address; the demo connects to nothing. */
export function checkDemoAddress(type: DatabaseType, url: string): { reachable: boolean; message: string } {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (!parsed || parsed.hostname === '' || !(schemes[type] as readonly string[]).includes(parsed.protocol)) {
    const message = `An address of ${words[type]} begins with ${schemes[type].map((each) => `${each}//`).join(' or ')} and names a host.`;
    throw new ApiError('input_invalid', { detail: message, errors: [{ path: 'url', message }] });
  }
  if (/^(localhost|127\.|10\.|192\.168\.|\[?::1)/.test(parsed.hostname)) throw new ApiError('database_address_refused');
  const { host, port } = parseAddress(type, url);
  return /^(down|old|away)\./.test(parsed.hostname)
    ? { reachable: false, message: `${host} does not answer on port ${port}. Agents get the address all the same, and may reach it later.` }
    : { reachable: true, message: `${words[type]} answers at ${host}:${port}.` };
}

export function parseAddress(type: DatabaseType, url: string): Pick<Database, 'host' | 'port'> {
  const { hostname, port } = new URL(url);
  return { host: hostname, port: port === '' ? demoPorts[type] : Number(port) };
}
