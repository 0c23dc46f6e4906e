// Counts its visitors in PostgreSQL and in Redis, at the addresses that Paddock gives it. What it counted outlives it.
import { createServer } from 'node:http';
import { Redis } from 'ioredis';
import pg from 'pg';

const { PORT = '8080', DATABASE_URL, REDIS_URL } = process.env;
const WAIT_MS = 5_000;

const pool = DATABASE_URL
  ? new pg.Pool({ connectionString: DATABASE_URL, max: 5, connectionTimeoutMillis: WAIT_MS, query_timeout: WAIT_MS })
  : null;
// A connection that lies idle when its server restarts: the next query opens another.
pool?.on('error', (error) => console.warn(`PostgreSQL: ${error.message}`));

const redis = REDIS_URL ? new Redis(REDIS_URL, { maxRetriesPerRequest: 3, commandTimeout: WAIT_MS }) : null;
// It connects again by itself; without a listener the error would end the process.
redis?.on('error', (error) => console.warn(`Redis: ${error.message}`));

const COUNT = `insert into counters (name, value) values ('visits', 1)
  on conflict (name) do update set value = counters.value + 1 returning value`;
const TABLE = 'create table if not exists counters (name text primary key, value bigint not null)';
const UNDEFINED_TABLE = '42P01';

async function countInPostgres() {
  if (!pool) return null;
  try {
    return Number((await pool.query(COUNT)).rows[0].value);
  } catch (error) {
    if (error.code !== UNDEFINED_TABLE) throw new Error(`PostgreSQL: ${error.message}`);
    await pool.query(TABLE);
    return Number((await pool.query(COUNT)).rows[0].value);
  }
}

const countInRedis = () =>
  redis?.incr('visits').catch((error) => {
    throw new Error(`Redis: ${error.message}`);
  }) ?? null;

const server = createServer(async (request, response) => {
  const answer = (status, body) => response.writeHead(status, { 'content-type': 'application/json' }).end(`${JSON.stringify(body)}\n`);
  const { pathname } = new URL(request.url, 'http://agent');
  // Asked at each start: who asks there is no visitor.
  if (pathname === '/health') return answer(200, { status: 'well' });
  if (request.method !== 'GET' || pathname !== '/') return answer(404, { error: 'Not found' });
  try {
    const [postgresql, counted] = await Promise.all([countInPostgres(), countInRedis()]);
    answer(200, { postgresql, redis: counted });
  } catch (error) {
    console.error(error.message);
    answer(503, { error: error.message });
  }
});

server.listen(Number(PORT), () => {
  console.log(`Counter agent listens on port ${PORT}`);
  if (!pool && !redis) console.warn('It has no databases. Deploy it with managed ones.');
});

process.once('SIGTERM', () => {
  server.close(async () => {
    await pool?.end();
    redis?.disconnect();
  });
  server.closeIdleConnections();
});
