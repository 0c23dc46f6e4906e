import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { sized } from '../../scripts/test/size.ts';

// `require` resolves to the CommonJS build, two folders beside the source.
const entry = createRequire(join(import.meta.dirname, '../../packages/database/package.json')).resolve('postgres');
const source = join(dirname(entry), '../../src');

/** Sources of the PostgreSQL and Redis clients. An agent with them installs nothing and needs no registry. */
export const clients = (): Record<string, string> => ({
  'redis-wire.ts': readFileSync(join(import.meta.dirname, 'redis-wire.ts'), 'utf8'),
  ...Object.fromEntries(readdirSync(source).map((name) => [`postgres/${name}`, readFileSync(join(source, name), 'utf8')])),
});

const pauseMs = sized({ short: 5, long: 0 });

/**
 * Writes the numbers 1, 2, 3 … between `/start` and `/stop`, as a row and a key each, and retries a number until it is acknowledged. The
 * short size pauses after each, which saves the machine hundreds of thousands of writes. `/acked` returns the last acknowledged number of
 * each kind and the number of failed writes.
 */
export const writerAgent = (): Record<string, string> => ({
  ...clients(),
  'package.json': JSON.stringify({ name: 'writer', version: '1.0.0', type: 'module', scripts: { start: 'node server.js' } }),
  'server.js': `import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { createHash } from 'node:crypto';
import postgres from './postgres/index.js';
import { openRedis } from './redis-wire.ts';

const born = process.hrtime.bigint().toString(36) + process.pid;
const sql = postgres(process.env.DATABASE_URL, { max: 1, connect_timeout: 20, backoff: () => 0.05, onnotice: () => undefined });
const state = { rows: 0, keys: 0, row_breaks: 0, key_breaks: 0, last_key_at: {} };
let isOn = false;

async function writeRows() {
  await sql\`create table if not exists rows (n integer primary key)\`;
  while (isOn) {
    try {
      await sql\`insert into rows values (\${state.rows + 1}) on conflict do nothing\`;
      state.rows++;
      await sleep(${pauseMs});
    } catch {
      state.row_breaks++;
      await sleep(20);
    }
  }
}

async function writeKeys() {
  let redis;
  while (isOn) {
    try {
      redis ??= await openRedis(process.env.REDIS_URL);
      await redis.call('SET', 'key:' + (state.keys + 1), Date.now());
      state.keys++;
      await sleep(${pauseMs});
    } catch {
      state.key_breaks++;
      redis?.close();
      redis = undefined;
      await sleep(20);
    }
  }
  redis?.close();
}

let writes = Promise.resolve();
createServer(async (request, response) => {
  if (request.url === '/born') return response.end(born);
  // Which addresses it has, for who knows them anyway.
  if (request.url === '/addresses')
    return response.end(createHash('sha256').update(process.env.DATABASE_URL + process.env.REDIS_URL).digest('hex'));
  if (request.url === '/acked') return response.end(JSON.stringify(state));
  if (request.url === '/start' && !isOn) {
    isOn = true;
    writes = Promise.all([writeRows(), writeKeys()]);
  }
  if (request.url === '/stop') {
    isOn = false;
    await writes;
  }
  response.end(JSON.stringify(state));
}).listen(process.env.PORT);
`,
});

/** Counts its visitors in both databases, as examples/counter-node does. A visit that a database did not count is answered with 503. */
export const counterAgent = (): Record<string, string> => ({
  ...clients(),
  'package.json': JSON.stringify({ name: 'counter', version: '1.0.0', type: 'module', scripts: { start: 'node server.js' } }),
  'server.js': `import { createServer } from 'node:http';
import postgres from './postgres/index.js';
import { openRedis } from './redis-wire.ts';

const sql = postgres(process.env.DATABASE_URL, { max: 1, connect_timeout: 20, backoff: () => 0.05, onnotice: () => undefined });
let redis;

async function countInPostgres() {
  await sql\`create table if not exists counters (name text primary key, value bigint not null)\`;
  const [row] = await sql\`insert into counters (name, value) values ('visits', 1)
    on conflict (name) do update set value = counters.value + 1 returning value\`;
  return Number(row.value);
}

async function countInRedis() {
  try {
    redis ??= await openRedis(process.env.REDIS_URL);
    return await redis.call('INCR', 'visits');
  } catch (error) {
    redis?.close();
    redis = undefined;
    throw error;
  }
}

createServer(async (request, response) => {
  if (request.url !== '/') return response.writeHead(request.url === '/health' ? 200 : 404).end();
  try {
    const [postgresql, redis] = await Promise.all([countInPostgres(), countInRedis()]);
    response.end(JSON.stringify({ postgresql, redis }));
  } catch (error) {
    response.writeHead(503).end(String(error));
  }
}).listen(process.env.PORT);
`,
  'paddock.yaml': 'health: /health\n',
});

export interface Written {
  rows: number;
  keys: number;
  row_breaks: number;
  key_breaks: number;
}
