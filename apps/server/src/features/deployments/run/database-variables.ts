import type { AskedVariable } from '@paddock/builder';
import type { DatabaseUrls } from '../databases.ts';

type Part = 'url' | 'host' | 'port' | 'user' | 'password' | 'name';

/** Ends of names, by the part of an address that they mean. */
const ends: Record<string, Part> = {
  URL: 'url',
  URI: 'url',
  DSN: 'url',
  CONNECTION_STRING: 'url',
  HOST: 'host',
  HOSTNAME: 'host',
  SERVER: 'host',
  ADDRESS: 'host',
  PORT: 'port',
  USER: 'user',
  USERNAME: 'user',
  PASSWORD: 'password',
  PASS: 'password',
  PWD: 'password',
  NAME: 'name',
  DATABASE: 'name',
  DBNAME: 'name',
  DB: 'name',
};
const ofPostgres = /^(?:DB|DATABASE|POSTGRES|POSTGRESQL|PG|TYPEORM|SQLALCHEMY_DATABASE)_?([A-Z_]{2,20})$/;
const ofRedis = /^REDIS_?([A-Z_]{2,20})$/;
/** Values of other databases: what an example file or a default says of them. */
const ofOthers = /mysql|maria|mongo|sqlite|mssql|sqlserver|oracle|^(?:3306|27017|1433|1521)$|\.(?:db|sqlite3?)$/i;

/**
 * Values for the variables that an archive reads and whose names mean a part of its database's address, such as `DB_HOST`, `PGUSER` or `REDIS_PORT`: most
 * agents were written for names of their own. None where what is asked for tells of another kind of database.
 */
export function databaseVariables(asked: readonly AskedVariable[], { postgres_url, redis_url }: DatabaseUrls): Record<string, string> {
  return {
    ...valuesOf(asked, ofPostgres, postgres_url),
    ...valuesOf(asked, ofRedis, redis_url),
  };
}

/** The names that deploying with databases would set. */
export const namesOfDatabases = (asked: readonly AskedVariable[]): string[] => [
  'DATABASE_URL',
  'REDIS_URL',
  ...Object.keys(databaseVariables(asked, { postgres_url: 'postgresql://a:a@localhost/a', redis_url: 'redis://localhost' })),
];

/** Whether a name means a part of a PostgreSQL's address. */
export const isOfDatabase = (name: string): boolean => ends[ofPostgres.exec(name)?.[1] ?? ''] !== undefined;

function valuesOf(asked: readonly AskedVariable[], pattern: RegExp, url: string | undefined): Record<string, string> {
  if (url === undefined || !URL.canParse(url)) return {};
  const named = asked.flatMap(({ name, example = '' }) => {
    const part = ends[pattern.exec(name)?.[1] ?? ''];
    return part === undefined || name === 'DATABASE_URL' || name === 'REDIS_URL' ? [] : [{ name, example, part }];
  });
  if (named.some(({ example }) => ofOthers.test(example))) return {};
  const parts = partsOf(url);
  return Object.fromEntries(named.map(({ name, example, part }) => [name, part === 'url' ? withDriver(url, example) : parts[part]]));
}

function partsOf(url: string): Record<Exclude<Part, 'url'>, string> {
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

/** SQLAlchemy names its driver in the scheme: `postgresql+asyncpg://`. */
function withDriver(url: string, example: string): string {
  const driver = /^postgres(?:ql)?(\+[a-z0-9]{2,20}):\/\//.exec(example)?.[1];
  return driver === undefined ? url : url.replace(/^postgres(?:ql)?:/, `postgresql${driver}:`);
}
