import { Redis } from 'ioredis';
import postgres from 'postgres';
import { DATABASE, type DatabaseType, USER } from '../driver.ts';

/** An agent's use of a database, the same for every type. */
export interface Client {
  /** Resolves once the server has acknowledged it. */
  put(key: string, value: string): Promise<void>;
  /** Everything that was put, in the order of the keys. */
  read(): Promise<[string, string][]>;
  end(): Promise<void>;
}

const CONNECT_MS = 30_000;

export interface Login {
  port: number;
  password: string | undefined;
  user?: string;
}

/** Rejects if the server refuses the login. */
export function connect(type: DatabaseType, { port, password, user = USER }: Login): Promise<Client> {
  return type === 'postgresql' ? connectPostgres(port, password, user) : connectRedis(port, password, user);
}

export const sqlClient = (port: number, password: string | undefined, options: { user?: string; database?: string; max?: number } = {}) =>
  postgres({
    host: '127.0.0.1',
    port,
    user: options.user ?? USER,
    password: password ?? '',
    database: options.database ?? DATABASE,
    ssl: false as const,
    max: options.max ?? 1,
    connect_timeout: CONNECT_MS / 1000,
    onnotice: () => undefined,
    // The library queries the types by itself. If the connection ends during that query, the error is not handled.
    fetch_types: false,
  });

async function connectPostgres(port: number, password: string | undefined, user: string): Promise<Client> {
  const sql = sqlClient(port, password, { user });
  try {
    await sql`SELECT 1`;
  } catch (error) {
    await sql.end({ timeout: 1 });
    throw error;
  }
  const made = async () => {
    await sql`CREATE TABLE IF NOT EXISTS kept (key text PRIMARY KEY, value text NOT NULL)`;
  };
  let making: Promise<void> | undefined;
  return {
    async put(key, value) {
      await (making ??= made());
      await sql`INSERT INTO kept VALUES (${key}, ${value}) ON CONFLICT (key) DO UPDATE SET value = EXCLUDED.value`;
    },
    async read() {
      const [there] = await sql`SELECT FROM pg_tables WHERE tablename = 'kept'`;
      if (!there) return [];
      const rows = await sql<{ key: string; value: string }[]>`SELECT key, value FROM kept ORDER BY key COLLATE "C"`;
      return rows.map(({ key, value }) => [key, value]);
    },
    end: () => sql.end({ timeout: 1 }),
  };
}

async function connectRedis(port: number, password: string | undefined, user: string): Promise<Client> {
  const redis = redisClient(port, password, user);
  try {
    await redis.connect();
    await redis.ping();
  } catch (error) {
    redis.disconnect();
    throw error;
  }
  return {
    async put(key, value) {
      await redis.set(key, value);
    },
    async read() {
      const keys = (await redis.keys('*')).sort();
      return Promise.all(keys.map(async (key): Promise<[string, string]> => [key, (await redis.get(key)) ?? '']));
    },
    async end() {
      redis.disconnect();
    },
  };
}

export function redisClient(port: number, password: string | undefined, user = USER): Redis {
  const redis = new Redis({
    host: '127.0.0.1',
    port,
    lazyConnect: true,
    maxRetriesPerRequest: 0,
    connectTimeout: CONNECT_MS,
    retryStrategy: () => null,
    ...(password === undefined ? {} : { username: user, password }),
  });
  redis.on('error', () => undefined); // the failing call reports it
  return redis;
}
