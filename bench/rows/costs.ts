import { setTimeout as sleep } from 'node:timers/promises';
import { zipSync } from 'fflate';
import type { Sql } from '../../apps/server/src/db/connect.ts';
import { inDatabase } from '../database.ts';
import { growthPerUnit, type Ledger, readLedger, sandboxMemoryMb } from '../ledger.ts';
import { sendRequests } from '../load/wrk.ts';
import { until } from '../measure.ts';
import { type Paddock, startPaddock, visit } from '../paddock.ts';
import { below, type Result, type Row } from '../row.ts';

const unit = 'for one more';
/** Ten times as many must not cost more for each. */
const maxGrowth = 1.2;
const agentCount = 20;
/** Two minutes hold each job of the platform that depends on the number of agents. */
const idleMs = 120_000;
const settleMs = 30_000;
const agentSource = `
  const line = 'GET /answer 200 in 12 ms, asked by a visitor of the agent that says what it does ';
  require('http').createServer((q, r) => {
    const lines = Number(new URL(q.url, 'http://a').searchParams.get('lines') ?? 0);
    for (let n = 0; n < lines; n += 1) console.log(line + n);
    r.end('up');
  }).listen(process.env.PORT);`;

/** The cost of one more of each thing, and whether it is the same when there are ten times as many. The table is in docs/scaling.md. */
export const row: Row = {
  name: 'costs',
  seconds: 600,
  run: (report) =>
    inDatabase(async (sql, url) => {
      const paddock = await startPaddock({ PADDOCK_DATABASE_URL: url });
      const bench = { paddock, sql, report };
      try {
        for (const measure of [teams, projects, deployments, idleAgents, requests, logLines]) await measure(bench);
      } finally {
        await paddock.close();
      }
    }),
};

interface Bench {
  paddock: Paddock;
  sql: Sql;
  report: (result: Result) => void;
}

/** Sign-ups of an address are limited to 30 an hour. */
const teams = (bench: Bench) =>
  compare(bench, 'team (sign-up and first session)', { few: 2, many: 20, make: (count) => repeat(count, () => bench.paddock.another()) });

const projects = (bench: Bench) =>
  compare(bench, 'project', { few: 10, many: 100, make: (count) => repeat(count, () => makeProject(bench)) });

/** Each replaces the one before, so that one agent runs at a time. */
async function deployments(bench: Bench) {
  const project = await makeProject(bench);
  await compare(bench, 'deployment (one file, Node, each replaces the one before)', {
    few: 3,
    many: 30,
    make: (count) => repeat(count, () => deploy(bench, project)),
  });
}

/** The difference to an idle platform. Agents of this kind use no CPU themselves while nobody visits them. */
async function idleAgents(bench: Bench) {
  const { paddock, sql, report } = bench;
  const hours = idleMs / 3_600_000;
  const idle = async () => {
    await sleep(settleMs);
    const before = await readLedger(sql, paddock.pids());
    await sleep(idleMs);
    const after = await readLedger(sql, paddock.pids());
    const sandboxes_mb = sandboxMemoryMb(paddock.dataDir, paddock.pids());
    return { perHour: growthPerUnit(before, after, hours), after, sandboxes_mb };
  };
  const nobody = await idle();
  await repeat(agentCount, async () => deploy(bench, await makeProject(bench)));
  const many = await idle();
  const { platform_s, database_s, writes } = growthPerUnit(nobody.perHour, many.perHour, agentCount);
  const { memory_mb } = growthPerUnit(nobody.after, many.after, agentCount);
  const sandbox_mb = (many.sandboxes_mb - nobody.sandboxes_mb) / agentCount;
  report({
    work: `an idle agent, of ${agentCount}`,
    unit: 'for one more',
    ours: [
      `${platform_s.toFixed(1)} s of CPU of Paddock and ${database_s.toFixed(1)} s of PostgreSQL an hour`,
      `${writes.toFixed(0)} writes an hour`,
      `${memory_mb.toFixed(1)} MiB of Paddock and ${sandbox_mb.toFixed(0)} MiB of its sandbox`,
    ].join('; '),
    peer: '–',
  });
}

async function requests(bench: Bench) {
  const { paddock, sql } = bench;
  const project = await makeProject(bench);
  await deploy(bench, project);
  const isShipped = async () => {
    const [waiting] = await sql<[{ count: number }]>`select count(*)::int as count from audit_intake`;
    return waiting.count === 0;
  };
  await compare(bench, 'million requests (200 bytes of JSON, recorded)', {
    few: 1,
    many: 10,
    make: async (seconds) => {
      const sent = await sendRequests({ port: paddock.gatewayPort, host: `${project.name}.localhost`, path: '/' }, seconds);
      await sleep(1_000); // the gateway hands its last records in
      await until('all records are in the trail', isShipped, { ms: 120_000, everyMs: 200 });
      return sent / 1e6;
    },
  });
}

async function logLines(bench: Bench) {
  const { paddock, sql } = bench;
  const project = await makeProject(bench);
  const id = await deploy(bench, project);
  const bytes = async () => {
    const [stored] = await sql<[{ lines: number; bytes: number }]>`
      select count(*)::int as lines, coalesce(sum(octet_length(message)), 0)::float8 as bytes
      from log_lines
      where deployment_id = ${id}`;
    return stored;
  };
  await compare(bench, 'gigabyte of log lines (of some 85 bytes)', {
    few: 10,
    many: 100,
    make: async (thousands) => {
      const before = await bytes();
      for (let n = 0; n < thousands; n += 1) await visit(paddock.gatewayPort, `${project.name}.localhost`, { path: '/?lines=1000' });
      await until('all lines are stored', async () => (await bytes()).lines >= before.lines + thousands * 1_000, {
        ms: 120_000,
        everyMs: 500,
      });
      return ((await bytes()).bytes - before.bytes) / 1e9;
    },
  });
}

interface Kind {
  few: number;
  many: number;
  /** Makes so many; returns the number of units, if it is another one. */
  make: (count: number) => Promise<number | void>;
}

async function compare({ paddock, sql, report }: Bench, what: string, { few, many, make }: Kind): Promise<void> {
  const costsOf = async (count: number) => {
    const before = await readLedger(sql, paddock.pids());
    const units = (await make(count)) ?? count;
    return growthPerUnit(before, await readLedger(sql, paddock.pids()), units);
  };
  await make(1); // code and caches that every first one needs
  const [small, large] = [await costsOf(few), await costsOf(many)];
  report({ work: what, unit, ours: inWords(large), peer: '–' });
  report(growth(what, small, large));
}

const cpuSecondsOf = ({ platform_s, database_s, programs_s }: Ledger) => platform_s + database_s + programs_s;

const growth = (what: string, few: Ledger, many: Ledger): Result =>
  below({
    work: `${what}: CPU of each at ten times as many`,
    unit: '×',
    ours: { values: [cpuSecondsOf(many) / cpuSecondsOf(few)], digits: 2 },
    max: maxGrowth,
  });

function inWords({ platform_s, database_s, programs_s, rows, writes, wal_bytes, disk_bytes, memory_mb }: Ledger): string {
  const cpu = [
    ['Paddock', platform_s],
    ['PostgreSQL', database_s],
    ['programs', programs_s],
  ] as const;
  const seconds = cpu.filter(([, used]) => used >= 0.0005).map(([name, used]) => `${name} ${used.toPrecision(2)} s`);
  return [
    `CPU: ${seconds.join(', ') || 'none to be measured'}`,
    `${rows.toFixed(0)} rows, ${writes.toFixed(0)} writes`,
    `${kilobytes(wal_bytes)} of write-ahead log, ${kilobytes(disk_bytes)} of tables`,
    `${memory_mb.toFixed(2)} MiB`,
  ].join('; ');
}

const kilobytes = (bytes: number) => `${(bytes / 1_000).toLocaleString('en', { maximumFractionDigits: 0 })} kB`;

let made = 0;

async function makeProject({ paddock }: Bench): Promise<{ id: string; name: string }> {
  const name = `cost-${++made}`;
  const { id } = await paddock.api<{ id: string }>('POST', '/projects', { name });
  return { id, name };
}

/** Asks the API for the status. Visits, as `deployTimed` makes them, would be recorded and counted. */
async function deploy({ paddock }: Bench, { id: project_id }: { id: string }): Promise<string> {
  const form = new FormData();
  form.set('project_id', project_id);
  form.set('code', new Blob([zipSync({ 'server.js': Buffer.from(`${agentSource}// ${++made}`) })]), 'agent.zip');
  const { id } = await paddock.api<{ id: string }>('POST', '/deployments', form);
  const isActive = async () => (await paddock.api<{ status: string }>('GET', `/deployments/${id}`)).status === 'active';
  await until('the deployment is active', isActive, { ms: 180_000, everyMs: 300 });
  return id;
}

async function repeat(count: number, work: () => Promise<unknown>): Promise<void> {
  for (let n = 0; n < count; n += 1) await work();
}
