import { readdirSync, readFileSync } from 'node:fs';
import { get } from 'node:http';
import { networkInterfaces } from 'node:os';
import { deploy, type Platform, reaches, until } from '../../apps/server/test/platform.ts';
import type { Row } from '../row.ts';
import { type Arena, hostileNode, makeAgent, placeOf, processesOf, source, stop } from './arena.ts';

/** D59, D61, D63: agents that refuse to end, builds that attack, and projects that are deleted under load. */
export async function tryLifecycle(arena: Arena): Promise<Row[]> {
  return (await Promise.all([refuseToEnd(arena), deleteUnderLoad(arena), attackFromBuild(arena)])).flat();
}

export async function refuseToEnd({ paddock, eve }: Arena): Promise<Row[]> {
  const agent = await makeAgent(paddock, eve.api, { name: 'stubborn', files: hostileNode });
  const word = `stubborn-${Date.now()}`;
  const place = placeOf(paddock.dataDir, agent.deployment_id);
  if (!place) throw new Error('The stubborn agent does not run.');
  await agent.ask(`/attack?kind=stubborn&word=${word}`);
  await until('its children run on their own', async () => processesOf(place.uid) > 4);
  const begun = performance.now();
  await stop(agent);
  const gone = await until('nothing of it runs', async () => processesOf(place.uid) === 0 && commandLines(word) === 0, 30).then(
    () => true,
    () => false,
  );
  const seconds = (performance.now() - begun) / 1000;
  return [
    {
      item: 'D59',
      attempt: 'ignores SIGTERM, double fork, setsid',
      expected: 'all killed after 10 s of grace',
      got: gone ? 'nothing left' : `WRONG ${commandLines(word)} left`,
      measured: `${seconds.toFixed(1)} s`,
      ok: gone,
    },
  ];
}

/** The bound of a hang. A shell that has started already is given its 10 seconds to end, on a busy machine after a while. */
const MAX_END_S = 60;

export async function deleteUnderLoad({ paddock, eve }: Arena): Promise<Row[]> {
  const agent = await makeAgent(paddock, eve.api, { name: 'doomed', files: hostileNode });
  const place = placeOf(paddock.dataDir, agent.deployment_id);
  if (!place) throw new Error('The doomed agent does not run.');
  const streams = await Promise.all(Array.from({ length: 5 }, () => openStream(paddock, agent.host)));
  const queued = await deploy(eve.api, agent.project_id, { 'start.sh': 'sleep 600\n' });
  const begun = performance.now();
  await agent.api.projects.delete({ id: agent.project_id });
  const after = async (what: string, holds: () => Promise<boolean>) =>
    until(what, holds, MAX_END_S).then(
      () => (performance.now() - begun) / 1000,
      () => Number.POSITIVE_INFINITY,
    );
  const times = {
    address: await after('the address is gone', async () => (await paddock.visit(agent.host)).status === 404),
    streams: await after('the streams end', async () => streams.every((one) => one.ended())),
    processes: await after('the processes end', async () => processesOf(place.uid) === 0),
    queued: await after('the new deployment is gone', async () => placeOf(paddock.dataDir, queued.id) === undefined),
  };
  return [
    {
      item: 'D63',
      attempt: 'project deleted with a running agent, 5 open streams, a build under way',
      expected: 'all ended',
      got: Object.entries(times)
        .map(([what, seconds]) => `${what} ${Number.isFinite(seconds) ? 'ended' : 'WRONG still there'}`)
        .join(', '),
      measured: Object.entries(times)
        .map(([what, seconds]) => `${what} ${seconds.toFixed(1)} s`)
        .join(', '),
      ok: Object.values(times).every(Number.isFinite),
    },
  ];
}

function openStream({ gatewayPort }: Platform, host: string): Promise<{ ended(): boolean }> {
  return new Promise((resolve, reject) => {
    let over = false;
    const call = get({ host: '127.0.0.1', port: gatewayPort, path: '/stream', headers: { host }, agent: false }, (answer) => {
      answer.on('close', () => (over = true)).on('error', () => (over = true));
      answer.once('data', () => resolve({ ended: () => over }));
    });
    call.on('error', reject);
  });
}

/** Runs the probes as a build command, as an install script would, in the sandbox of the build. */
export async function attackFromBuild({ paddock, eve, neighbour }: Arena): Promise<Row[]> {
  const project = await eve.api.projects.create({ name: 'hostile-build' });
  const word = `build-${Date.now()}`;
  const other = placeOf(paddock.dataDir, neighbour.deployment_id);
  const targets = [new URL(paddock.origin).port, String(paddock.gatewayPort), new URL(paddock.databaseUrl).port].map((port) => [
    '127.0.0.1',
    Number(port),
  ]);
  // All targets are on this machine: no guard stops packets of a build that would leave it.
  const machine = Object.values(networkInterfaces()).flatMap((list) => (list ?? []).map(({ address }) => address));
  const files = {
    'start.sh': 'echo started\n',
    'paddock.yaml': 'build: python3 build.py\n',
    'main_probes.py': source('hostile-python/main.py'),
    'build.py': source('hostile-build/build.py'),
    'targets.json': JSON.stringify({
      targets: [...targets, [other?.address, 8080], ...machine.map((host) => [host, targets[0]?.[1]])],
      word,
      folder: other?.folder,
    }),
  };
  const { id } = await deploy(eve.api, project.id, files);
  await reaches(eve.api, id, ['completed']);
  const log = (await eve.api.logs.list({ id, limit: 200 })).logs.map(({ message }) => message);
  const found = JSON.parse(log.find((line) => line.startsWith('PROBES '))?.slice(7) ?? '{}') as Record<string, string>;
  const bad = Object.entries(found).filter(([, got]) => !/^(E[A-Z0-9]+|ValueError|got \[\]|nothing)$/.test(got));
  const left = commandLines(word);
  return [
    {
      item: 'D61',
      attempt: `build step: ${Object.keys(found).length} probes of system calls, sockets, addresses, files`,
      expected: 'an error each',
      got: bad.map(([name, got]) => `WRONG ${name}: ${got}`).join(', ') || 'refused',
      ok: bad.length === 0 && Object.keys(found).length > 50,
    },
    {
      item: 'D61',
      attempt: 'build step: daemons left behind by setsid and double fork',
      expected: 'none',
      got: `${left}`,
      ok: left === 0 && log.some((line) => line.startsWith('DAEMONS 2')),
    },
    {
      item: 'D61',
      attempt: 'build step: a fork bomb and a memory bomb',
      expected: 'limited, the build goes on',
      got: log.find((line) => line.startsWith('BOMBS'))?.slice(6) ?? 'WRONG no answer',
      ok: log.some((line) => /^BOMBS refused after \d+, memory ended/.test(line)),
    },
  ];
}

/** Number of the machine's processes whose command line contains the word. */
const commandLines = (word: string): number =>
  readdirSync('/proc').filter((name) => /^\d+$/.test(name) && textOf(`/proc/${name}/cmdline`).includes(word)).length;

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return ''; // the process has just exited
  }
}
