import type { AskedVariable } from '@paddock/builder';
import { type DatabaseType, databaseTypes } from '@paddock/contract';
import { type AddressPart, addressVariables } from '@paddock/contract/database-variables';
import type { DatabaseUrls } from '../databases.ts';

/** Values for variables that an archive reads and whose names denote a part of its database's address. */
export function databaseVariables(asked: readonly AskedVariable[], { postgres_url, redis_url }: DatabaseUrls): Record<string, string> {
  return { ...buildVariables(asked, 'postgresql', postgres_url), ...buildVariables(asked, 'redis', redis_url) };
}

/** The variables that a deployment with databases would set. */
export const namesOfDatabases = (asked: readonly AskedVariable[]): string[] => [
  'DATABASE_URL',
  'REDIS_URL',
  ...databaseTypes.flatMap((type) => addressVariables(asked, type).map(({ variable }) => variable.name)),
];

function buildVariables(asked: readonly AskedVariable[], type: DatabaseType, url: string | undefined): Record<string, string> {
  if (url === undefined || !URL.canParse(url)) return {};
  const parts = parseDatabaseUrl(url);
  const value = (part: AddressPart, example = '') => (part === 'url' ? withDriver(url, example) : parts[part]);
  return Object.fromEntries(addressVariables(asked, type).map(({ variable: { name, example }, part }) => [name, value(part, example)]));
}

function parseDatabaseUrl(url: string): Record<Exclude<AddressPart, 'url'>, string> {
  const { hostname, port, username, password, pathname, protocol } = new URL(url);
  const isRedis = protocol.startsWith('redis');
  return {
    host: hostname,
    port: port || (isRedis ? '6379' : '5432'),
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
    name: decodeURIComponent(pathname.slice(1)) || (isRedis ? '0' : decodeURIComponent(username)),
  };
}

/** `DATABASE_URL` with the driver of the archive's own example value. */
export const databaseUrl = (asked: readonly AskedVariable[], url: string): string =>
  withDriver(url, asked.find(({ name }) => name === 'DATABASE_URL')?.example ?? '');

/** SQLAlchemy URLs name the driver in the scheme: `postgresql+asyncpg://`. */
function withDriver(url: string, example: string): string {
  const driver = /^postgres(?:ql)?(\+[a-z0-9]{2,20}):\/\//.exec(example)?.[1];
  return driver === undefined ? url : url.replace(/^postgres(?:ql)?:/, `postgresql${driver}:`);
}
