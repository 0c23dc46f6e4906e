// `node faults/gateway-soak.ts --minutes 60`: one gateway under every kind of visitor and agent, good and bad, while routes change. At the
// end its memory and descriptors must be what they were when the load had settled, and no honest visitor got a wrong response.
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startDatabase } from '../apps/gateway/test/database.ts';
import { startGatewayProcess } from '../apps/gateway/test/gateway-process.ts';
import { startBadAgent, startHonestAgent } from './gateway-soak/agent.ts';
import { goOn, kinds, type Visiting } from './gateway-soak/visitors.ts';

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '60' } } });
const minutes = Number(values.minutes);
if (!(minutes > 0)) throw new Error('--minutes must be a number above 0');
const sampleEveryMs = Math.min(30_000, minutes * 2_000);
/** Memory may differ by this many MiB between the first third (after it has settled) and the last. */
const maxGrowthMb = 20;

const database = await startDatabase({ ownServer: true });
const agents = [await startHonestAgent(), await startHonestAgent()];
const bad = await startBadAgent();
const { sql } = database;
for (const label of ['good', 'bad'])
  await sql`
    insert into deployments (id, team_id, project_id, environment, status, source_blob, source_name, source_bytes, created_by)
    values (${`dep_${label}`}, 'team_1', 'prj_1', 'production', 'active', 'b', 'n', 1, 'u')`;
const route = (label: string, port: number) => sql`
  insert into routes (label, team_id, project_id, deployment_id, state, target_host, target_port, version)
  values (${label}, 'team_1', 'prj_1', ${`dep_${label}`}, 'active', '127.0.0.1', ${port}, 0)
  on conflict (label) do update set target_port = excluded.target_port`;
await route('good', agents[0]!.port);
await route('bad', bad.port);
const gateway = await startGatewayProcess(database.url, { PADDOCK_PARENT_PID: String(process.pid) });
const pid = gateway.child.pid!;
await sleep(1_000);

const over = new AbortController();
const visiting: Visiting = { port: gateway.port, signal: over.signal, well: new Map(), wrong: [] };
const samples: { memoryMb: number; descriptors: number }[] = [];
const rest = sample();
const working = Object.keys(kinds).map((kind) => goOn(kind, visiting));
const end = performance.now() + minutes * 60_000;
for (let turn = 1; performance.now() < end; turn++) {
  await sleep(sampleEveryMs);
  await route('good', agents[turn % 2]!.port);
  samples.push(sample());
  console.log(JSON.stringify({ ...samples.at(-1), wrong: visiting.wrong.length, ...Object.fromEntries(visiting.well) }));
}
over.abort();
await Promise.all(working);
await sleep(12_000);
const atRest = sample();
const third = Math.floor(samples.length / 3);
const middle = (of: typeof samples, what: keyof (typeof samples)[number]) =>
  of.map((one) => one[what]).sort((a, b) => a - b)[Math.floor(of.length / 2)] ?? 0;
const [first, last] = [samples.slice(1, third + 1), samples.slice(-third)];
const checks: [boolean, string][] = [
  [visiting.wrong.length === 0, `no honest visitor got anything wrong: ${visiting.wrong.slice(0, 5).join('; ') || 'none'}`],
  [
    middle(last, 'memoryMb') - middle(first, 'memoryMb') <= maxGrowthMb,
    `memory does not grow: ${middle(first, 'memoryMb')} MiB in the first third, ${middle(last, 'memoryMb')} in the last`,
  ],
  [
    middle(last, 'descriptors') <= middle(first, 'descriptors') * 1.2 + 20,
    `descriptors do not grow: ${middle(first, 'descriptors')}, then ${middle(last, 'descriptors')}`,
  ],
  [
    atRest.descriptors <= rest.descriptors + 8,
    `at rest ${atRest.descriptors} descriptors, ${rest.descriptors} before; ${atRest.memoryMb} MiB`,
  ],
];
gateway.child.kill('SIGTERM');
checks.push([(await gateway.exited) === 0, 'it leaves in good order']);
for (const agent of [...agents, bad]) agent.close();
await database.close();
for (const [holds, text] of checks) console.log(`${holds ? '✔' : '✖'} ${text}`);
const failed = checks.filter(([holds]) => !holds).length;
console.log(`${checks.length - failed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

function sample() {
  const pss = /^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))![1];
  return { memoryMb: Math.round(Number(pss) / 1024), descriptors: readdirSync(`/proc/${pid}/fd`).length };
}
