import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../apps/server/test/platform.ts';
import type { Row } from '../row.ts';
import { type Agent, type Arena, again, limits, type Place, placeOf, processesOf, stop } from './arena.ts';
import { run } from './command.ts';
import { startVisits, type Visits, visitFor } from './visitor.ts';

export interface Attack {
  item: string;
  kind: string;
  expected: string;
  /** Returns the problem, or undefined when all is well. */
  judge(seen: Seen): string | undefined;
  /** Part of the short form. */
  short?: boolean;
  /** The agent must still answer after the attack. */
  survives?: boolean;
}

/** The maximum of each resource that the attack took while it was watched. */
export interface Seen {
  processes: number;
  cpus: number;
  disk_mb: number;
  output_mb: number;
  memory_mb: number;
  /** Growth of the server. */
  server_mb: number;
  state: Record<string, unknown>;
  /** The platform's last message in the agent's log. */
  message: string;
}

const MB = 1024 * 1024;
/** Limit of output on disk. The driver allows 128 MB of unread output a stream, and these attacks write to one stream. */
const outputMost = 130;
const atMost = (value: number, most: number, unit: string) => (value <= most ? undefined : `${value} ${unit}`);
const says = (seen: Seen, reason: RegExp) => (reason.test(seen.message) ? undefined : `not ended: ${seen.message || 'no message'}`);
const flood = (kind: string): Attack => ({
  item: 'D57',
  kind,
  expected: `at most ${outputMost} MB unread`,
  judge: (seen) => atMost(seen.output_mb, outputMost, 'MB unread'),
});

export const attacks: Attack[] = [
  {
    item: 'D52',
    kind: 'fork',
    short: true,
    expected: `at most ${limits.processes} processes`,
    judge: (seen) => atMost(seen.processes, limits.processes + 3, 'processes'),
  },
  {
    item: 'D53',
    kind: 'memory',
    short: true,
    expected: 'ended, told why',
    judge: (seen) => says(seen, /ran out of memory/) ?? atMost(seen.memory_mb, limits.memory_mb, 'MB'),
  },
  { item: 'D53', kind: 'heap', expected: 'ends with a heap error', judge: (seen) => says(seen, /SIGABRT|code 134|ran out of memory/) },
  {
    item: 'D54',
    kind: 'cpu',
    short: true,
    expected: 'at most 1 processor',
    judge: (seen) => atMost(seen.cpus, 1.3, 'processors'),
    survives: true,
  },
  {
    item: 'D55',
    kind: 'disk',
    short: true,
    expected: 'ended, told why',
    judge: (seen) => says(seen, /disk space/) ?? atMost(seen.disk_mb, limits.disk_mb * 20, 'MB'),
  },
  { item: 'D55', kind: 'inodes', expected: 'ended, told why', judge: (seen) => says(seen, /disk space/) },
  {
    item: 'D55',
    kind: 'sparse',
    expected: 'EFBIG',
    judge: ({ state }) =>
      state.sparse === 'EFBIG' && state.tail === 'EFBIG' ? undefined : `${String(state.sparse)}, ${String(state.tail)}`,
    survives: true,
  },
  {
    item: 'D56',
    kind: 'descriptors',
    expected: 'EMFILE',
    judge: ({ state }) => (state.descriptors === 'EMFILE' ? undefined : String(state.descriptors)),
  },
  { ...flood('log'), short: true },
  flood('binary log'),
  flood('log without lines'),
  {
    item: 'D58',
    kind: 'listeners',
    expected: 'limited by open files',
    judge: ({ state }) => (state.listeners === 'EMFILE' ? atMost(Number(state.listening), 4096, 'listeners') : String(state.listeners)),
  },
  {
    item: 'OTLP',
    kind: 'traces',
    short: true,
    expected: 'refused or counted, the server grows by less than 600 MB',
    judge: ({ state, server_mb }) => tellsOfTraces(String(state.traces)) ?? atMost(server_mb, 600, 'MB of the server'),
    survives: true,
  },
  { item: 'D60', kind: 'kill all', short: true, expected: 'ends itself only', judge: (seen) => says(seen, /ended by SIGKILL/) },
];

/** Checks that the trace receiver still gives each kind of request the right response. */
function tellsOfTraces(told: string): string | undefined {
  const wanted = ['flood 200', 'large 413', 'bomb 413', 'invalid 400', 'foreign 401'];
  const missing = wanted.filter((each) => !told.includes(`"${each}"`));
  // A client that goes on sending after these statuses is cut off, so the codes of a cut connection are right, too.
  const wrong = [...told.matchAll(/"(\w+ (?!200|4\d\d|ECONNRESET|EPIPE|UND_ERR_SOCKET)[^"]+)"/g)].map(([, answer]) => answer);
  return [...missing.map((each) => `no ${each}`), ...wrong].join(', ') || undefined;
}

/** D52–D60: a fresh agent for each attack, while the neighbour is visited. Nothing may remain afterwards. */
export async function tryResources(arena: Arena, { windowMs, long }: { windowMs: number; long: boolean }): Promise<Row[]> {
  const { paddock, neighbour } = arena;
  // The long form measures the effect on the neighbour; the short one only checks that each visit is answered.
  const perSecond = long ? 50 : 10;
  const rows: Row[] = [];
  const folders: string[] = [];
  for (const attack of attacks.filter((one) => long || one.short)) {
    arena.node = await again(paddock, arena.node);
    const place = placeOf(paddock.dataDir, arena.node.deployment_id);
    if (!place) throw new Error('The hostile agent does not run.');
    folders.push(place.folder);
    const quiet = await visitFor(paddock, neighbour.host, { ms: windowMs, perSecond });
    const visits = startVisits(paddock, neighbour.host, perSecond);
    let during: Visits;
    let seen: Seen;
    try {
      await arena.node.ask(`/attack?kind=${encodeURIComponent(attack.kind)}`);
      seen = await watch(arena.node, place, { ...attack, windowMs, serverPid: paddock.serverPid() });
    } finally {
      during = await visits.end(); // also when the attack could not be made: the visitor would go on for hours
    }
    const problem = attack.judge(seen);
    const answers =
      !attack.survives ||
      (await paddock.visit(arena.node.host, '/state').then(
        ({ status }) => status === 200,
        () => false,
      ));
    const cleared = await clear(arena.node, place);
    const wrong = [
      problem,
      ...(answers ? [] : ['the agent is gone']),
      cleared,
      ...(during.failed > 0 ? [`${during.failed} failed visits`] : []),
      ...(during.p99 > 2000 ? ['the neighbour is slow'] : []),
    ].filter(Boolean);
    rows.push({
      item: attack.item,
      attempt: attack.kind,
      expected: attack.expected,
      got: [...wrong.map((text) => `WRONG ${text};`), told(seen)].join(' '),
      measured: compared(quiet, during),
      ok: wrong.length === 0,
    });
  }
  // The agents' output is stored first, which takes time in proportion to its size.
  const left = () => folders.filter((folder) => existsSync(folder));
  await until('all folders are gone', async () => left().length === 0, 90).catch(() => 'told below');
  rows.push({
    item: 'D59',
    attempt: 'what all of these left on the machine',
    expected: 'nothing',
    got: left().join(', ') || 'nothing',
    ok: left().length === 0,
  });
  return rows;
}

/** Watches for the given time, and up to 40 s longer while the expected effect of the attack is missing. */
async function watch(
  agent: Agent,
  place: Place,
  { kind, judge, windowMs, serverPid }: Attack & { windowMs: number; serverPid: number },
): Promise<Seen> {
  const seen: Seen = { processes: 0, cpus: 0, disk_mb: 0, output_mb: 0, memory_mb: 0, server_mb: 0, state: {}, message: '' };
  const begun = performance.now();
  const since = () => performance.now() - begun;
  const used = cpuMs(place);
  const before = residentMb(serverPid);
  for (let looked = 0; since() < windowMs || (judge(seen) !== undefined && since() < windowMs + 40_000); await sleep(40)) {
    seen.processes = Math.max(seen.processes, numberIn(join(place.pids, 'pids.current')));
    const memory = numberIn(join(place.memory, 'memory.usage_in_bytes')) || numberIn(join(place.memory, 'memory.current'));
    seen.memory_mb = Math.max(seen.memory_mb, Math.round(memory / MB));
    seen.server_mb = Math.max(seen.server_mb, residentMb(serverPid) - before);
    const output = ['stdout.log', 'stderr.log'].reduce(
      (sum, name) => sum + (statSync(join(place.folder, name), { throwIfNoEntry: false })?.blocks ?? 0) * 512,
      0,
    );
    seen.output_mb = Math.max(seen.output_mb, Math.round(output / MB));
    if (kind === 'disk')
      seen.disk_mb = Math.max(seen.disk_mb, Number.parseInt(await run('du', ['-sxm', join(place.folder, 'tmp')]), 10) || 0);
    if (since() > 500) seen.cpus = Math.max(0, Math.round(((cpuMs(place) - used) / since()) * 100) / 100);
    if (since() - looked < 300) continue;
    looked = since();
    if (!/^EMFILE|^EFBIG|^done/.test(String(Object.values(seen.state)[0]))) seen.state = await stateOf(agent);
    const { logs } = await agent.api.logs.list({ id: agent.deployment_id, level: 'warning', limit: 100 });
    seen.message =
      logs
        .filter(({ source }) => source === 'platform')
        .map(({ message }) => message)
        .at(-1) ?? '';
  }
  return seen;
}

/** The attack's own report, while its agent still answers. */
async function stateOf({ ask }: Agent): Promise<Record<string, unknown>> {
  const answer = ((await ask('/state').catch(() => ({}))) ?? {}) as Record<string, unknown>;
  return 'request_id' in answer || 'status' in answer ? {} : answer;
}

/** Ends the agent. Returns undefined when none of its processes is left on the machine. */
async function clear(agent: Agent, place: Place): Promise<string | undefined> {
  await stop(agent);
  try {
    await until('its processes are gone', async () => processesOf(place.uid) === 0);
  } catch {
    return `left: ${processesOf(place.uid)} processes`;
  }
  return undefined;
}

const cpuMs = ({ cpuacct }: Place) =>
  numberIn(join(cpuacct, 'cpuacct.usage')) / 1e6 || Number(/^usage_usec (\d+)/m.exec(readText(join(cpuacct, 'cpu.stat')))?.[1] ?? 0) / 1000;
const residentMb = (pid: number) => Math.round(Number(/^VmRSS:\s+(\d+)/m.exec(readText(`/proc/${pid}/status`))?.[1] ?? 0) / 1024);
const numberIn = (file: string) => (existsSync(file) ? Number(readText(file)) : 0);

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '0'; // the group went with its agent
  }
}

function told({ processes, cpus, disk_mb, output_mb, memory_mb, server_mb, state, message }: Seen): string {
  const most = `at most ${processes} processes, ${cpus} cpu, ${memory_mb} MB memory, ${disk_mb} MB disk, ${output_mb} MB unread output, ${server_mb} MB of the server`;
  return [most, ...Object.entries(state).map(([name, value]) => `${name} ${String(value)}`), message].filter(Boolean).join('; ');
}

const compared = (quiet: Visits, during: Visits) =>
  `neighbour p50/p99 ${quiet.p50.toFixed(0)}/${quiet.p99.toFixed(0)} → ${during.p50.toFixed(0)}/${during.p99.toFixed(0)} ms, ${during.failed}/${during.count} failed`;
