import { setTimeout as sleep } from 'node:timers/promises';
import type { LogLine } from '@paddock/contract';
import { logStore } from '../../apps/server/src/features/logs/store.ts';
import { inDatabase } from '../database.ts';
import { cpuSeconds, inFolder, interleave } from '../measure.ts';
import { type Paddock, startPaddock } from '../paddock.ts';
import { startRedis } from '../peers/redis.ts';
import { subscribers } from '../peers/subscribers.ts';
import { alone, beside, orSkipped, type Row, Skipped } from '../row.ts';

const rounds = 5;
const ms = 3000;
const viewers = 100;
const perFrame = 20;
/** A little more than the time for which lines are gathered into one frame. */
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
          const { id } = await paddock.api<{ id: string }>('POST', '/projects', { name: 'fan' });
          const [owner] = await sql<[{ team_id: string }]>`select team_id from projects where id = ${id}`;
          await sql`insert into deployments (id, team_id, project_id, environment, status, source_blob, source_name, source_bytes, created_by)
            values ('dep_fan', ${owner.team_id}, ${id}, 'production', 'completed', 'b', 'n', 1, 'u')`;
          await sql`insert into log_offsets (instance_id, stream, deployment_id) values ('none', 'stdout', 'dep_fan')`; // more is to come
          const store = logStore(sql);
          const lines = Array.from({ length: perFrame }, (_, n) => ({ ...sample, message: `${sample.message} ${n}` }));
          const publish = () => store.append(owner.team_id, 'dep_fan', lines);
          const watching = await subscribers(paddock.port, await openings(paddock), '"number":');
          const ours = () => delivered(watching, paddock.pids().slice(0, 1), publish);
          const redis = await orSkipped(() => startRedis(folder));
          try {
            if (redis instanceof Skipped) {
              const [values] = await interleave(rounds, [ours]);
              report(alone({ work, unit, ours: { values: values! }, why: redis.message, goal: 'at least 1.5×' }));
              return;
            }
            const listening = await subscribers(redis.port, Array<string>(viewers).fill(redis.subscribing('lines')), '"number":');
            const line: LogLine = { id: 'dep_fan:100000', number: 100_000, ...sample };
            const theirs = () =>
              delivered(listening, redis.pids, async () => {
                for (let n = 0; n < perFrame; n++) redis.publish('lines', JSON.stringify(line));
              });
            try {
              await interleave(1, [ours, theirs]);
              const [a, b] = await interleave(rounds, [ours, theirs]);
              const note = 'Redis gets the lines of a frame in one write and sends them as one message each';
              const peer = { name: `${redis.name} pub/sub`, values: b! };
              report(beside({ work, unit, better: 'more', ours: { values: a! }, peer, atLeast: 1.5, note }));
            } finally {
              listening.close();
            }
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

const sample: Omit<LogLine, 'id' | 'number'> = {
  level: 'info',
  source: 'agent',
  message: 'GET /answer 200 in 12 ms, asked by a visitor of the agent that says what it does',
  created_at: new Date().toISOString(),
};

/** Upgrade requests for the viewers, as a browser makes them. One person may hold 50 sockets. */
async function openings(paddock: Paddock): Promise<string[]> {
  const tokens = await Promise.all(Array.from({ length: viewers / 50 }, () => paddock.signIn()));
  return Array.from({ length: viewers }, (_, n) => {
    const path = `/ws/logs/dep_fan?token=${tokens[n % tokens.length]}&after=0`;
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
  await sleep(300); // what is on its way
  return ((await to.count()) - count) / (cpuSeconds(pids) - cpu);
}
