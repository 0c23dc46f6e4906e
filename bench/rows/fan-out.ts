import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LogLine } from '@paddock/contract';
import type { Sql } from '../../apps/server/src/db/connect.ts';
import { logStore } from '../../apps/server/src/features/logs/store.ts';
import { inDatabase } from '../database.ts';
import { cpuSeconds, inFolder, interleave } from '../measure.ts';
import { type Paddock, startPaddock } from '../paddock.ts';
import { startRedis } from '../peers/redis.ts';
import { subscribers } from '../peers/subscribers.ts';
import { alone, beside, type Result, type Row } from '../row.ts';
import { orSkipped, Skipped } from '../skipped.ts';

const rounds = 5;
const ms = 3000;
const viewers = 100;
const perFrame = 20;
/** Several logs at once, so that the server's fixed overhead is small compared with the work. */
const logs = ['dep_fan1', 'dep_fan2', 'dep_fan3', 'dep_fan4'];
/** Slightly more than the time for which lines are collected into one frame. */
const everyMs = 60;
const work = `fan-out of log lines to ${viewers} viewers, ${perFrame} lines a frame`;
const unit = 'lines delivered per second of CPU';

export const row: Row = {
  name: 'fan-out',
  seconds: 45,
  run: (report) =>
    inDatabase((sql, url) =>
      inFolder(async (folder) => {
        const paddock = await startPaddock({ PADDOCK_DATABASE_URL: url });
        try {
          const team_id = await makeLogs(paddock, sql);
          const store = logStore(sql);
          const lines = Array.from({ length: perFrame }, (_, n) => ({ ...sample, message: `${sample.message} ${n}` }));
          const publish = () => Promise.all(logs.map((id) => store.append(team_id, id, { lines })));
          const watching = await subscribers(paddock.port, await openings(paddock, sql, team_id), '"number":');
          const ours = () => delivered(watching, paddock.pids().slice(0, 1), publish);
          const redis = await orSkipped(() => startRedis(folder));
          try {
            if (redis instanceof Skipped) {
              const [values] = await interleave(rounds, [ours]);
              report(alone({ work, unit, ours: { values: values! }, why: redis.message, goal: 'at least 1.5×' }));
            } else report(await besideRedis(ours, redis));
          } finally {
            watching.close();
            if (!(redis instanceof Skipped)) await redis.close();
          }
        } finally {
          await paddock.close();
        }
      }),
    ),
};

/** Logs of deployments that never end, since nothing runs them. */
async function makeLogs(paddock: Paddock, sql: Sql): Promise<string> {
  const { id } = await paddock.api<{ id: string }>('POST', '/projects', { name: 'fan' });
  const [{ team_id }] = await sql<[{ team_id: string }]>`select team_id from projects where id = ${id}`;
  for (const log of logs) {
    await sql`insert into deployments (id, team_id, project_id, environment, status, source_blob, source_name, source_bytes, created_by, ended_at)
      values (${log}, ${team_id}, ${id}, 'production', 'completed', 'b', 'n', 1, 'u', now())`;
    await sql`insert into log_offsets (instance_id, stream, deployment_id) values (${log}, 'stdout', ${log})`; // more is to come
  }
  return team_id;
}

async function besideRedis(ours: () => Promise<number>, redis: Awaited<ReturnType<typeof startRedis>>): Promise<Result> {
  const channels = logs.flatMap((log) => Array<string>(viewers).fill(redis.subscribing(log)));
  const listening = await subscribers(redis.port, channels, '"number":');
  const line: LogLine = { id: 'dep_fan1:100000', number: 100_000, ...sample };
  const theirs = () =>
    delivered(listening, redis.pids, async () => {
      for (const log of logs) for (let n = 0; n < perFrame; n++) redis.publish(log, JSON.stringify(line));
    });
  try {
    await interleave(1, [ours, theirs]);
    const [a, b] = await interleave(rounds, [ours, theirs]);
    const note = 'ours reads the lines from PostgreSQL; Redis is given those of a frame in one write and sends each as a message';
    const peer = { name: `${redis.name} pub/sub`, values: b! };
    return beside({ work, unit, better: 'more', ours: { values: a! }, peer, atLeast: 1.5, note });
  } finally {
    listening.close();
  }
}

const sample: Omit<LogLine, 'id' | 'number'> = {
  level: 'info',
  source: 'agent',
  message: 'GET /answer 200 in 12 ms, asked by a visitor of the agent that says what it does',
  created_at: new Date().toISOString(),
};

/** Upgrade requests for the viewers, as a browser makes them. A person may have 50 sockets, so there are several people. */
async function openings(paddock: Paddock, sql: Sql, team_id: string): Promise<string[]> {
  const tokens = Array.from({ length: (viewers * logs.length) / 50 }, () => `pds_${randomBytes(24).toString('base64url')}`);
  for (const [n, token] of tokens.entries()) {
    await sql`insert into users (id, email, name) values (${`usr_fan${n}`}, ${`fan${n}@example.com`}, 'Viewer')`;
    await sql`insert into sessions (id, token_hash, user_id, team_id, expires_at)
      values (${`ses_fan${n}`}, ${createHash('sha256').update(token).digest()}, ${`usr_fan${n}`}, ${team_id}, now() + interval '1 hour')`;
  }
  return Array.from({ length: viewers * logs.length }, (_, n) => {
    const path = `/ws/logs/${logs[n % logs.length]}?token=${tokens[Math.floor(n / 50)]}&after=0`;
    const fields = [
      'Upgrade: websocket',
      'Connection: Upgrade',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    ];
    return `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${paddock.port}\r\n${fields.join('\r\n')}\r\n\r\n`;
  });
}

async function delivered(to: Awaited<ReturnType<typeof subscribers>>, pids: number[], publish: () => Promise<unknown>): Promise<number> {
  const [count, cpu] = [await to.count(), cpuSeconds(pids)];
  for (const end = performance.now() + ms; performance.now() < end; ) {
    const next = performance.now() + everyMs;
    await publish();
    await sleep(Math.max(0, next - performance.now()));
  }
  await sleep(300); // lines still in transit
  return ((await to.count()) - count) / (cpuSeconds(pids) - cpu);
}
