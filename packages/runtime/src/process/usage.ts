import { cgroupUsage } from './cgroup.ts';
import { sandboxProcesses } from './members.ts';
import { readStat } from './processes.ts';
import { type Folder, readText, type SandboxRecord } from './records.ts';
import { run } from './run.ts';

const TICK_MS = 10;
const BWRAP_PROCESSES = 2;

/** From the control group where there is one, else summed over the processes. */
export function processUsage(folder: Folder, record: SandboxRecord): { cpu_ms: number; memory_bytes: number; processes: number } {
  const grouped = record.cgroup && cgroupUsage(record.cgroup);
  if (grouped) return { ...grouped, processes: Math.max(0, grouped.processes - (record.mode === 'unsandboxed' ? 0 : BWRAP_PROCESSES)) };
  const processes = sandboxProcesses(folder, record);
  const ticks = processes.reduce((sum, pid) => sum + (readStat(pid)?.cpuTicks ?? 0), 0);
  const memory = processes.reduce((sum, pid) => sum + memoryOf(pid), 0);
  return { cpu_ms: ticks * TICK_MS, memory_bytes: memory, processes: processes.length };
}

/** Bytes that the instance keeps on disk. The folders are its own; other file systems mounted below do not count. */
export async function diskUsage(folder: Folder, signal?: AbortSignal): Promise<number> {
  const options = { accept: [1], timeoutMs: 30_000, ...(signal ? { signal } : {}) };
  // du reports 1 when files vanish while it counts, which running agents do all the time.
  const { stdout } = await run('du', ['-sx', '--block-size=1', '--', folder.app, folder.home, folder.tmp], options);
  return stdout.split('\n').reduce((sum, line) => sum + (Number.parseInt(line, 10) || 0), 0);
}

/** The proportional share counts pages that several processes use only once. */
function memoryOf(pid: number): number {
  try {
    return Number(/^Pss:\s+(\d+) kB/m.exec(readText(`/proc/${pid}/smaps_rollup`) ?? '')?.[1] ?? 0) * 1024;
  } catch {
    return 0; // the process has ended, or changed into one that we may not look at
  }
}
