import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

// Its CommonJS form is what `require` finds, two folders beside its source.
const entry = createRequire(join(import.meta.dirname, '../../packages/database/package.json')).resolve('postgres');
const source = join(dirname(entry), '../../src');

/** What lets an agent speak to PostgreSQL and Redis with nothing to install, so that it needs no registry. */
export const clients = (): Record<string, string> => ({
  'redis-wire.ts': readFileSync(join(import.meta.dirname, 'redis-wire.ts'), 'utf8'),
  ...Object.fromEntries(readdirSync(source).map((name) => [`postgres/${name}`, readFileSync(join(source, name), 'utf8')])),
});

/**
 * Writes numbers as fast as they are acknowledged, 1, 2, 3 …, a row and a key each, while it is told to. One that was not acknowledged is
 * written again. `/acked` tells how far it came in each, and how often that broke.
 */
export const writing = (): Record<string, string> => ({
  ...clients(),
  'package.json': JSON.stringify({ name: 'writer', version: '1.0.0', type: 'module', scripts: { start: 'node server.js' } }),
  'server.js': `import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { createHash } from 'node:crypto';
import postgres from './postgres/index.js';
import { openRedis } from './redis-wire.ts';

const born = process.hrtime.bigint().toString(36) + process.pid;
const sql = postgres(process.env.DATABASE_URL, { max: 1, connect_timeout: 2, backoff: () => 0.05, onnotice: () => undefined });
const state = { rows: 0, keys: 0, row_breaks: 0, key_breaks: 0, last_key_at: {} };
let isOn = false;

async function writeRows() {
  await sql\`create table if not exists rows (n integer primary key)\`;
  while (isOn) {
    try {
      await sql\`insert into rows values (\${state.rows + 1}) on conflict do nothing\`;
      state.rows++;
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

export interface Written {
  rows: number;
  keys: number;
  row_breaks: number;
  key_breaks: number;
}
