import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Ground } from './ground.ts';

/** Users of the processors. `rest` is the kernel's unattributed work and everything else on the machine. */
const names = ['gateway', 'server', 'database', 'hostile', 'neighbour', 'generator', 'visitor', 'rest'] as const;
export type Cores = Record<(typeof names)[number], number>;

const tickMs = 10; // USER_HZ is 100 on every Linux that Node runs on
/** Sampling interval. A group that is gone keeps its last sample. */
const looksEveryMs = 250;

/** Measures processor use from now on; `end` returns the average number of cores of each user. */
export function watchCores(ground: Ground, generatorPid?: number) {
  const groups = new Map<string, number>();
  const own = groupsOf(ground);
  const before = { at: performance.now(), ...take() };
  const first = new Map(groups);
  const timer = setInterval(look, looksEveryMs);

  function look() {
    for (const folder of own.all()) groups.set(folder, groupMs(folder));
  }

  function take() {
    look();
    return {
      gateway: processMs(ground.pids.gateway) + childrenMs(ground.pids.gateway),
      server: processMs(ground.pids.server),
      database: ground.pids.database.reduce((sum, pid) => sum + familyMs(pid), 0),
      generator: processMs(process.pid) + (generatorPid ? processMs(generatorPid) : 0),
      visitor: processMs(ground.visitor.pid),
      machine: machineMs(),
    };
  }

  return {
    /** A gateway that was replaced meanwhile counts as nothing; its successor is measured from the next time on. */
    async end(): Promise<Cores> {
      clearInterval(timer);
      const after = take();
      const ms = performance.now() - before.at;
      ground.pids.gateway = await ground.paddock.gatewayPid();
      const grown = [...groups].map(([folder, used]) => ({ folder, used: used - (first.get(folder) ?? 0) }));
      const neighbour = grown.find(({ folder }) => folder === own.neighbour)?.used ?? 0;
      const hostile = grown.reduce((sum, { used }) => sum + used, 0) - neighbour;
      const of = (name: keyof typeof after) => after[name] - before[name];
      const known = {
        gateway: of('gateway'),
        server: of('server'),
        database: of('database'),
        hostile,
        neighbour,
        generator: of('generator'),
        visitor: of('visitor'),
      };
      const rest = of('machine') - Object.values(known).reduce((sum, one) => sum + one, 0);
      return Object.fromEntries(names.map((name) => [name, Math.max(0, { ...known, rest }[name] / ms)])) as Cores;
    },
  };
}

/** The users of at least a twentieth of a core, the largest first. */
export const told = (cores: Cores): string =>
  Object.entries(cores)
    .filter(([, share]) => share >= 0.05)
    .sort(([, a], [, b]) => b - a)
    .map(([name, share]) => `${name} ${share.toFixed(2)}`)
    .join(', ');

/** The control groups of all agents and builds of the platform. */
function groupsOf({ neighbourPlace }: Ground) {
  const neighbour = neighbourPlace.cpuacct;
  const parent = dirname(neighbour);
  const prefix = basename(neighbour).slice(0, -neighbourPlace.id.length);
  return {
    neighbour,
    all: () =>
      readdirSync(parent)
        .filter((name) => name.startsWith(prefix))
        .map((name) => join(parent, name)),
  };
}

function groupMs(folder: string): number {
  const nanoseconds = text(join(folder, 'cpuacct.usage'));
  if (nanoseconds) return Number(nanoseconds) / 1e6;
  return Number(/^usage_usec (\d+)/m.exec(text(join(folder, 'cpu.stat')))?.[1] ?? 0) / 1000;
}

const fields = (pid: number): string[] => {
  const stat = text(`/proc/${pid}/stat`);
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
};
const ticks = (pid: number, ...at: number[]) => at.reduce((sum, n) => sum + Number(fields(pid)[n] ?? 0), 0);
const processMs = (pid: number) => ticks(pid, 11, 12) * tickMs;

/** Includes the time of children that have exited. */
const familyMs = (pid: number): number => ticks(pid, 11, 12, 13, 14) * tickMs + childrenMs(pid);

const childrenMs = (pid: number): number =>
  text(`/proc/${pid}/task/${pid}/children`)
    .split(' ')
    .filter(Boolean)
    .reduce((sum, child) => sum + familyMs(Number(child)), 0);

/** All processor time except idle and I/O wait. */
function machineMs(): number {
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = text('/proc/stat')
    .split('\n')[0]!
    .split(/ +/)
    .slice(1)
    .map(Number);
  return (user + nice + system + irq + softirq + steal) * tickMs;
}

function text(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return ''; // the process or group is gone
  }
}
