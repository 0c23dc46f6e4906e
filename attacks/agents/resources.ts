import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../apps/server/test/platform.ts';
import type { Row } from '../row.ts';
import { type Agent, type Arena, again, limits, type Place, placeOf, processesOf, stop } from './arena.ts';
import { run } from './command.ts';
import { startVisits, type Visits, visitFor } from './visitor.ts';

interface Attack {
  item: string;
  kind: string;
  expected: string;
  /** Judges what was seen; undefined when all is well. */
  judge(seen: Seen): string | undefined;
  /** The agent answers afterwards as before. */
  survives?: boolean;
}

/** The most of each that the attack took while it was watched. */
interface Seen {
  processes: number;
  disk_mb: number;
  output_mb: number;
  memory_mb: number;
  state: Record<string, unknown>;
  message: string;
}

const MB = 1024 * 1024;
const ended = (reason: RegExp) => (seen: Seen) => (reason.test(seen.message) ? undefined : `not ended: ${seen.message || 'no message'}`);
const attacks: Attack[] = [
  {
    item: 'D52',
    kind: 'fork',
    expected: `at most ${limits.processes} processes`,
    judge: ({ processes }) => (processes <= limits.processes + 3 ? undefined : `${processes} processes`),
  },
  { item: 'D53', kind: 'memory', expected: 'ended, said why', judge: ended(/ran out of memory/) },
  { item: 'D54', kind: 'cpu', expected: 'its share, no more', judge: () => undefined, survives: true },
  {
    item: 'D55',
    kind: 'disk',
    expected: 'ended, said why',
    judge: (seen) => ended(/was ended by|disk/)(seen) ?? (seen.disk_mb < limits.disk_mb * 12 ? undefined : `${seen.disk_mb} MB`),
  },
  { item: 'D55', kind: 'inodes', expected: 'counted as disk', judge: () => undefined },
  {
    item: 'D55',
    kind: 'sparse',
    expected: 'EFBIG or ended',
    judge: ({ state, message }) => (state.sparse === 'EFBIG' || /SIGXFSZ|disk/.test(message) ? undefined : String(state.sparse)),
  },
  {
    item: 'D56',
    kind: 'descriptors',
    expected: 'EMFILE',
    judge: ({ state }) => (state.descriptors === 'EMFILE' ? undefined : String(state.descriptors)),
    survives: true,
  },
  {
    item: 'D57',
    kind: 'log',
    expected: 'bounded on disk',
    judge: ({ output_mb }) => (output_mb <= outputMost ? undefined : `${output_mb} MB unread`),
  },
  {
    item: 'D57',
    kind: 'binary log',
    expected: 'bounded on disk',
    judge: ({ output_mb }) => (output_mb <= outputMost ? undefined : `${output_mb} MB unread`),
  },
  {
    item: 'D57',
    kind: 'log without lines',
    expected: 'bounded on disk',
    judge: ({ output_mb }) => (output_mb <= outputMost ? undefined : `${output_mb} MB unread`),
  },
  {
    item: 'D58',
    kind: 'listeners',
    expected: 'limited by open files',
    judge: ({ state }) => (Number(state.listening) <= 4096 ? undefined : String(state.listening)),
  },
  { item: 'D60', kind: 'kill all', expected: 'ends itself only', judge: () => undefined },
];
/** What of the output may lie on disk unread: the bound of the driver, for both streams. */
const outputMost = 300;

/** D52–D60, each by a fresh agent, while the neighbour is visited; afterwards nothing of it may be left. */
export async function tryResources(arena: Arena, windowMs: number): Promise<Row[]> {
  const { paddock, neighbour } = arena;
  const rows: Row[] = [];
  for (const attack of attacks) {
    arena.node = await again(paddock, arena.node);
    const place = placeOf(paddock.data_dir, arena.node.deployment_id);
    if (!place) throw new Error('The hostile agent does not run.');
    const quiet = await visitFor(paddock, neighbour.host, windowMs);
    const visits = startVisits(paddock, neighbour.host);
    await arena.node.ask(`/attack?kind=${encodeURIComponent(attack.kind)}`);
    const seen = await watch(arena.node, place, attack, windowMs);
    const during = await visits.end();
    const problem = attack.judge(seen);
    const answers =
      !attack.survives ||
      (await paddock.visit(arena.node.host, '/state').then(
        ({ status }) => status === 200,
        () => false,
      ));
    const cleared = await clear(arena.node, place, paddock.data_dir);
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
  return rows;
}

/** Looks on for the given time, and longer as long as what must come of the attack has not come. */
async function watch(agent: Agent, place: Place, { kind, judge }: Attack, ms: number): Promise<Seen> {
  const seen: Seen = { processes: 0, disk_mb: 0, output_mb: 0, memory_mb: 0, state: {}, message: '' };
  const begun = performance.now();
  const since = () => performance.now() - begun;
  for (let looked = 0; since() < ms || (judge(seen) !== undefined && since() < ms + 15_000); await sleep(40)) {
    seen.processes = Math.max(seen.processes, numberIn(join(place.pids, 'pids.current')));
    const memory = numberIn(join(place.memory, 'memory.usage_in_bytes')) || numberIn(join(place.memory, 'memory.current'));
    seen.memory_mb = Math.max(seen.memory_mb, Math.round(memory / MB));
    const output = ['stdout.log', 'stderr.log'].reduce(
      (sum, name) => sum + (statSync(join(place.folder, name), { throwIfNoEntry: false })?.blocks ?? 0) * 512,
      0,
    );
    seen.output_mb = Math.max(seen.output_mb, Math.round(output / MB));
    if (kind === 'disk')
      seen.disk_mb = Math.max(seen.disk_mb, Number.parseInt(await run('du', ['-sxm', join(place.folder, 'tmp')]), 10) || 0);
    if (since() - looked < 500) continue;
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

/** What the attack says of itself, while its agent still answers. */
async function stateOf({ ask }: Agent): Promise<Record<string, unknown>> {
  const answer = ((await ask('/state').catch(() => ({}))) ?? {}) as Record<string, unknown>;
  return 'request_id' in answer || 'status' in answer ? {} : answer;
}

/** Ends the agent; undefined when nothing of it stays on the machine. */
async function clear(agent: Agent, place: Place, dataDir: string): Promise<string | undefined> {
  await stop(agent);
  try {
    await until(
      'nothing of it is left',
      async () => processesOf(place.uid) === 0 && !existsSync(place.folder) && placeOf(dataDir, agent.deployment_id) === undefined,
      25,
    );
  } catch {
    return `left: ${processesOf(place.uid)} processes${existsSync(place.folder) ? ' and its folder' : ''}`;
  }
  return undefined;
}

const numberIn = (file: string) => (existsSync(file) ? Number(readText(file)) : 0);

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '0'; // the group went with its agent
  }
}

function told({ processes, disk_mb, output_mb, memory_mb, state, message }: Seen): string {
  const most = `at most ${processes} processes, ${memory_mb} MB memory, ${disk_mb} MB disk, ${output_mb} MB unread output`;
  return [most, ...Object.entries(state).map(([name, value]) => `${name} ${String(value)}`), message].filter(Boolean).join('; ');
}

const compared = (quiet: Visits, during: Visits) =>
  `neighbour p50/p99 ${quiet.p50.toFixed(0)}/${quiet.p99.toFixed(0)} → ${during.p50.toFixed(0)}/${during.p99.toFixed(0)} ms, ${during.failed}/${during.count} failed`;
