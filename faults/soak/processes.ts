import { existsSync, readdirSync, readFileSync } from 'node:fs';

export interface ProcessFigures {
  processes: number;
  pss_mb: number;
  descriptors: number;
  threads: number;
}

/** Memory as PSS: shared memory counts once over all processes that share it. A process that exits meanwhile counts as nothing. */
export function figuresOf(pids: number[]): ProcessFigures {
  const sum: ProcessFigures = { processes: 0, pss_mb: 0, descriptors: 0, threads: 0 };
  for (const pid of pids) {
    try {
      const kb = Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0);
      const [descriptors, threads] = [readdirSync(`/proc/${pid}/fd`).length, readdirSync(`/proc/${pid}/task`).length];
      sum.processes += 1;
      sum.pss_mb += kb / 1024;
      sum.descriptors += descriptors;
      sum.threads += threads;
    } catch (error) {
      if (!['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    }
  }
  return { ...sum, pss_mb: Math.round(sum.pss_mb) };
}

const allPids = () =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return ''; // ended meanwhile
    throw error;
  }
}

export const childrenOf = (parent: number) =>
  allPids().filter((pid) => Number(/^\d+ \(.*\) \S+ (\d+)/s.exec(read(`/proc/${pid}/stat`))?.[1]) === parent);

/** The server among our own children: the one that runs its program. */
export const serverPid = () => childrenOf(process.pid).find((pid) => read(`/proc/${pid}/cmdline`).includes('apps/server/src/main.'));

/** Everything that an installation has on the machine, found by its tag, as an administrator would find it. */
export function machineFigures(tag: string, dataDir: string) {
  const count = (folder: string, holds: (name: string) => boolean) => (existsSync(folder) ? readdirSync(folder).filter(holds).length : 0);
  const mounts = readFileSync('/proc/self/mounts', 'utf8').split('\n');
  // The spare networks that the server keeps ready are left out: after a start they may or may not have been made again.
  const spare = count('/run/paddock/slots', (name) => read(`/run/paddock/slots/${name}/owner`).startsWith(`${tag} spare.`));
  return {
    processes: allPids().filter(
      (pid) => read(`/proc/${pid}/cgroup`).includes(`paddock-${tag}`) || read(`/proc/${pid}/cmdline`).includes(`${dataDir}/runtime`),
    ).length,
    namespaces: count('/run/netns', (name) => name.startsWith(`paddock-${tag}-`)) - spare,
    interfaces: count('/sys/class/net', (name) => name.startsWith(`p${tag}-`)) - spare,
    slots: count('/run/paddock/slots', (name) => read(`/run/paddock/slots/${name}/owner`).startsWith(`${tag} `)) - spare,
    control_groups: controlGroups(tag),
    mounts: mounts.filter((line) => line.includes(`paddock-${tag}`) || line.includes(dataDir)).length,
  };
}

function controlGroups(tag: string): number {
  const groups = read('/proc/self/cgroup')
    .trim()
    .split('\n')
    .map((line) => line.split(':'));
  const roots = ['/sys/fs/cgroup', ...groups.map(([, controllers]) => `/sys/fs/cgroup/${controllers}`)];
  const places = new Set(roots.flatMap((root) => groups.map(([, , path]) => `${root}${path === '/' ? '' : path}`)));
  const names = [...places].filter((place) => existsSync(place)).flatMap((place) => readdirSync(place));
  return names.filter((name) => name.startsWith(`paddock-${tag}.`)).length;
}
