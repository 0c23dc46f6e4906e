import { readdirSync, readlinkSync, statSync } from 'node:fs';
import { run } from '../host/run.ts';
import { sandboxProcesses } from '../proc/members.ts';
import { readStat } from '../proc/processes.ts';
import { type Folder, type Mode, readText, type SandboxRecord } from '../records/records.ts';
import { cgroupUsage } from './cgroup.ts';
import { INODE_BYTES } from './disk-meter.ts';

const TICK_MS = 10;
const PAGE_BYTES = 4096;
const BWRAP_PROCESSES = 2;

/** Read from the control group if there is one, otherwise summed over the processes. */
export function processUsage(folder: Folder, record: SandboxRecord): { cpu_ms: number; memory_bytes: number; processes: number } {
  const grouped = record.cgroup && cgroupUsage(record.cgroup);
  if (grouped) return { ...grouped, processes: Math.max(0, grouped.processes - (record.mode === 'unsandboxed' ? 0 : BWRAP_PROCESSES)) };
  const processes = sandboxProcesses(folder, record);
  const ticks = processes.reduce((sum, pid) => sum + (readStat(pid)?.cpuTicks ?? 0), 0);
  return { cpu_ms: ticks * TICK_MS, memory_bytes: sum(processes, sharedMemory), processes: processes.length };
}

/**
 * Whether the processes together use more than `bytes` of memory. The exact sum is expensive, so it is computed only if it could matter.
 */
export function exceedsMemory(folder: Folder, record: SandboxRecord, bytes: number): boolean {
  const processes = sandboxProcesses(folder, record);
  return sum(processes, residentMemory) > bytes && sum(processes, sharedMemory) > bytes;
}

/** Bytes that the instance keeps on disk, including deleted files that it still holds open. */
export async function diskUsage(folder: Folder, record: SandboxRecord): Promise<number> {
  const places = [folder.app, folder.home, folder.tmp, ...(record.writable ?? [])];
  const { bytes, files } = await count(record.mode, places);
  return bytes + files * INODE_BYTES + deletedBytes(sandboxProcesses(folder, record));
}

/** Bytes of a folder, counted like those of an instance; 0 if it does not exist. */
export async function folderUsage(mode: Mode, path: string): Promise<number> {
  if (statSync(path, { throwIfNoEntry: false }) === undefined) return 0;
  const { bytes, files } = await count(mode, [path]);
  return bytes + files * INODE_BYTES;
}

/**
 * A command line that works although an agent may have removed permissions from its own files: in our user namespace modes do not apply.
 */
export function bypassFileModes(mode: Mode, command: string[]): [command: string, args: string[]] {
  const [name = '', ...args] = mode === 'user' ? ['unshare', '--map-root-user', ...command] : command;
  return [name, args];
}

/** Counts both with one process, since starting a process stops the whole server for some milliseconds. The worse exit code counts. */
const DU = `
du -sx --block-size=1 -- "$@"; bytes=$?
echo --
du -sx --inodes -- "$@"; files=$?
[ "$bytes" -gt "$files" ] && exit "$bytes"
exit "$files"`;

async function count(mode: Mode, places: string[]): Promise<{ bytes: number; files: number }> {
  // du exits with 1 when files vanish during the count, and running agents delete files all the time.
  const { stdout } = await run(...bypassFileModes(mode, ['sh', '-c', DU, 'sh', ...places]), { accept: [1], timeoutMs: 60_000 });
  const [bytes = '', files = ''] = stdout.split('--\n');
  const total = (lines: string) => sum(lines.split('\n'), (line) => Number.parseInt(line, 10) || 0);
  return { bytes: total(bytes), files: total(files) };
}

function deletedBytes(processes: number[]): number {
  const files = new Map<number, number>();
  for (const pid of processes) {
    for (const descriptor of namesIn(`/proc/${pid}/fd`)) {
      const path = `/proc/${pid}/fd/${descriptor}`;
      try {
        if (!readlinkSync(path).endsWith(' (deleted)')) continue;
        const file = statSync(path);
        if (file.isFile() && file.nlink === 0) files.set(file.ino, file.blocks * 512);
      } catch {
        // the descriptor was closed meanwhile
      }
    }
  }
  return sum([...files.values()], (bytes) => bytes);
}

/** Pss, the proportional share: pages that several processes use are counted once. */
function sharedMemory(pid: number): number {
  return Number(/^Pss:\s+(\d+) kB/m.exec(procText(pid, 'smaps_rollup'))?.[1] ?? 0) * 1024;
}

function residentMemory(pid: number): number {
  return Number(procText(pid, 'statm').split(' ')[1] ?? 0) * PAGE_BYTES;
}

function procText(pid: number, file: string): string {
  try {
    return readText(`/proc/${pid}/${file}`) ?? '';
  } catch {
    return ''; // the process has exited, or may no longer be read
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // the process has exited
  }
}

function sum<T>(items: T[], value: (item: T) => number): number {
  return items.reduce((total, item) => total + value(item), 0);
}
