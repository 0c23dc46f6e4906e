// Requests with personal data pass two gateways (ten thousand requests in the long size) while gateways and the server are killed. Each
// answered request must be on record exactly once, and no planted value may be stored anywhere.
import assert from 'node:assert/strict';
import { createReadStream } from 'node:fs';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type GatewayProcess, startGatewayProcess } from '../apps/gateway/test/gateway-process.ts';
import { connect } from '../apps/server/src/db/connect.ts';
import { inReverse } from '../apps/server/test/in-reverse.ts';
import { deploy, reaches, startPlatform, until } from '../apps/server/test/platform.ts';
import { sized } from '../scripts/test/size.ts';
import { ownPostgres } from './own-postgres.ts';

/** Kills of the second gateway, the server and the server's gateway, all visitors under way: one of each in the short size, two in the long. */
const {
  requests,
  killEvery,
  kills: expectedKills,
} = sized({
  short: { requests: 1_600, killEvery: 400, kills: 3 },
  long: { requests: 10_000, killEvery: 1_500, kills: 6 },
});
const atOnce = 40;

/** An agent that returns what it was sent, once as JSON and once within a sentence. */
const echo = {
  'server.js': `require('http').createServer((q, r) => {
  const parts = [];
  q.on('data', (part) => parts.push(part));
  q.on('end', () => {
    const sent = Buffer.concat(parts).toString();
    const { email, note } = sent ? JSON.parse(sent) : {};
    r.setHeader('content-type', 'application/json');
    r.end(JSON.stringify({ reply: 'I wrote to ' + email + ' and noted: ' + note, sent: sent ? JSON.parse(sent) : null }));
  });
}).listen(process.env.PORT);`,
};

/** Patterns of the planted values. A match anywhere is a leak of personal data. */
const planted = {
  Email: /planted\.\d{5}@example\.com/,
  Phone: /\(415\) 86\d-\d{4}/,
  SSN: /536-9\d-\d{4}/,
  'Credit Card': /4929 77\d\d \d{4} \d{4}/,
  Address: /\d+ Plantedoak Street/,
  Name: /Plantedia Zorbach/,
  'IP Address': /198\.51\.100\.\d{1,3}/,
  'Date of Birth': /0[1-9]\/1\d\/1961/,
};

function bodyOf(n: number): string {
  const digits = String(n).padStart(5, '0');
  return JSON.stringify({
    email: `planted.${digits}@example.com`,
    phone: `(415) 86${digits[0]}-${digits.slice(1)}`,
    ssn: `536-9${1 + (n % 8)}-${String(1000 + (n % 9000))}`,
    card_number: card(`492977${digits}`.padEnd(15, String(n % 10))),
    address: `${100 + (n % 900)} Plantedoak Street, Springfield, IL 62704`,
    full_name: 'Plantedia Zorbach',
    client_ip: `198.51.100.${n % 250}`,
    date_of_birth: `0${1 + (n % 9)}/1${n % 10}/1961`,
    note: `My name is Plantedia Zorbach, my SSN is 536-9${1 + (n % 8)}-${String(1000 + (n % 9000))}, call me at (415) 86${digits[0]}-${digits.slice(1)}.`,
  });
}

/** A card number with its check digit (Luhn), in groups of four. */
function card(fifteen: string): string {
  const sum = fifteen
    .split('')
    .toReversed()
    .reduce((total, digit, at) => {
      const value = Number(digit) * (at % 2 === 0 ? 2 : 1);
      return total + (value > 9 ? value - 9 : value);
    }, 0);
  return `${fifteen}${(10 - (sum % 10)) % 10}`.replaceAll(/(.{4})(?=.)/g, '$1 ');
}

const sockets = new Agent({ keepAlive: true, maxSockets: atOnce });

/** The request id of a complete response; undefined if the response was cut. */
function ask(port: number, n: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const headers = { host: 'recorded.localhost', 'content-type': 'application/json' };
    const call = request(
      {
        host: '127.0.0.1',
        port,
        method: 'POST',
        path: `/ask/planted.${String(n).padStart(5, '0')}@example.com?email=planted.00000@example.com`,
        headers,
        agent: sockets,
        timeout: 10_000,
      },
      (answer) => {
        answer.resume();
        answer.on('end', () => resolve(answer.complete && answer.statusCode === 200 ? String(answer.headers['x-request-id']) : undefined));
        answer.on('error', () => resolve(undefined));
      },
    );
    call.on('timeout', () => call.destroy());
    call.on('error', () => resolve(undefined));
    call.end(bodyOf(n));
  });
}

test('who was answered is on record once, whatever was killed meanwhile, and no planted value is anywhere', {
  timeout: 600_000,
}, async (t) => {
  const scope = inReverse(t);
  const folder = await mkdtemp(join(tmpdir(), 'paddock-audit-'));
  scope.after(() => rm(folder, { recursive: true, force: true }));
  const postgres = await ownPostgres(join(folder, 'postgres'));
  scope.after(() => postgres.end());
  const spools = join(folder, 'spools');
  const paddock = await startPlatform(scope, { PADDOCK_AUDIT_SPOOL_DIR: spools }, { databaseUrl: postgres.url });
  const sql = connect(postgres.url, { max: 2, name: 'audit-test' });
  scope.after(() => sql.end());
  const { api } = await paddock.person();
  const { id: project_id } = await api.projects.create({ name: 'recorded' });
  const { id } = await deploy(api, project_id, echo);
  await reaches(api, id, ['active']);

  const startSecond = () => startGatewayProcess(postgres.url, { PADDOCK_AUDIT_SPOOL_DIR: spools });
  let second: GatewayProcess = await startSecond();
  scope.after(() => second.child.kill('SIGKILL'));
  const answered: string[] = [];
  let asked = 0;
  let kills = 0;

  async function visitor(): Promise<void> {
    while (asked < requests) {
      const n = asked++;
      for (let tries = 0; tries < 400; tries++) {
        const request_id = await ask(n % 2 === 0 ? paddock.gatewayPort : second.port, n);
        if (request_id) {
          answered.push(request_id);
          break;
        }
        await sleep(50);
      }
    }
  }
  /** Kills the second gateway, the server and the server's gateway in turn. */
  async function killer(): Promise<void> {
    for (let next = killEvery; next < requests; next += killEvery) {
      while (asked < next) await sleep(20);
      kills += 1;
      if (kills % 3 === 1) {
        second.child.kill('SIGKILL');
        await second.exited;
        second = await startSecond();
      } else if (kills % 3 === 2) {
        await paddock.kill();
        await paddock.boot();
      } else process.kill(await paddock.gatewayPid(), 'SIGKILL');
    }
  }
  await Promise.all([killer(), ...Array.from({ length: atOnce }, visitor)]);
  sockets.destroy();
  assert.equal(answered.length, requests);
  assert.ok(kills >= expectedKills);

  const missing = async () => {
    const found = await sql<{ request_id: string }[]>`
      select request_id
      from audit_records
      where agent_id = ${project_id}
        and action_type in ('request', 'response')
      group by request_id
      having count(*) = 2
        and count(distinct action_type) = 2`;
    const whole = new Set(found.map(({ request_id }) => request_id));
    return answered.filter((request_id) => !whole.has(request_id)).length;
  };
  await until('all that was answered is on record', async () => (await missing()) === 0, 120).catch(async () =>
    assert.fail(`${await missing()} of ${requests} answered requests are not on record`),
  );
  const [twice] = await sql<[{ n: number }]>`
    select count(*)::int as n
    from (
      select 1
      from audit_records
      where agent_id = ${project_id}
        and action_type in ('request', 'response')
      group by request_id, action_type
      having count(*) > 1
    ) repeated`;
  assert.equal(twice.n, 0, 'records that are there twice');
  const verified = await api.governance.verifyAuditLogs({});
  assert.deepEqual([verified.valid, verified.first_bad], [true, null]);
  const stats = await api.governance.piiDetection({});
  for (const type of Object.keys(planted))
    assert.ok((stats.types_detected[type] ?? 0) >= requests, `${type}: ${stats.types_detected[type]}`);

  const exported = await api.governance.exportAuditLogs({ format: 'jsonl' });
  assert.ok(exported.includes('[EMAIL]'));
  for (const [type, pattern] of Object.entries(planted)) assert.doesNotMatch(exported, pattern, `${type} in the export`);
  await sql`checkpoint`;
  for (const place of [postgres.folder, spools, paddock.dataDir, paddock.log_file]) assert.deepEqual(await searched(place), [], place);
});

/** Files below a path that hold a planted value. Chunks overlap, so that no value is split between two. */
async function searched(place: string): Promise<string[]> {
  if (!(await stat(place).catch(() => undefined))) return [];
  const files = (await stat(place)).isDirectory()
    ? (await readdir(place, { recursive: true, withFileTypes: true }))
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
    : [place];
  const found: string[] = [];
  for (const file of files) {
    let kept = '';
    for await (const piece of createReadStream(file, 'latin1')) {
      const text = kept + String(piece);
      for (const [type, pattern] of Object.entries(planted)) {
        const [value] = pattern.exec(text) ?? [];
        if (value) found.push(`${file}: ${type} ${value}`);
      }
      if (found.length > 20) return found;
      kept = text.slice(-200);
    }
  }
  return found;
}
