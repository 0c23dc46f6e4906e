import { randomUUID } from 'node:crypto';
import { existsSync, lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { StepResult, StepRunner, StepSpec } from '../driver.ts';
import { endLeftovers, killSandbox, waitForEnd } from './end/conclude-exit.ts';
import { removeUnrecorded } from './end/sweep.ts';
import { type Host, type HostOptions, thisHost } from './host/host.ts';
import { run } from './host/run.ts';
import { forksRefused, oomKills } from './limits/cgroup.ts';
import { diskMeter } from './limits/disk-meter.ts';
import { watchLimits } from './limits/watch.ts';
import { withoutLauncher } from './output/launcher-lines.ts';
import { lineSplitter } from './output/lines.ts';
import { bootId, isAlive } from './proc/processes.ts';
import {
  decodeStatus,
  type Folder,
  listIds,
  readJson,
  readStatus,
  readText,
  type SandboxRecord,
  sandboxFolder,
} from './records/records.ts';
import { script, startDetached } from './sandbox/launch.ts';
import type { Chain } from './sandbox/launch-spec.ts';
import { createSandbox, discardSandbox, setupError } from './start/create-sandbox.ts';

/** A fast writer fills a gigabyte in a second. */
const METER_MS = 100;

type OnLine = Parameters<StepRunner['run']>[1];

/** A running step. */
interface RunningStep {
  step: StepSpec;
  folder: Folder;
  record: SandboxRecord;
}

/** Runs build steps in the sandbox of the process driver. As root each step has its own user id and network. */
export function stepRunner(options: HostOptions): StepRunner {
  const host = thisHost(options);
  const parent = join(host.dataDir, 'steps');
  const swept = sweepSteps(host, parent);

  return {
    isolated: host.mode !== 'unsandboxed',

    async run(step, onLine, signal) {
      await swept;
      const begun = performance.now();
      const writable = writableFolders(step);
      const { folder, record, chain } = await createStep(host, parent, { step, writable, signal });
      const running = { step, folder, record };
      try {
        const closed = startStep(folder, chain, onLine);
        const { timedOut } = await superviseStep(host, running, { closed, signal });
        if (!existsSync(folder.entered) && !timedOut && !signal.aborted)
          throw new Error(`The sandbox of the step could not be set up: ${setupError(folder)}`);
        return { ...endOfStep(running, timedOut), timed_out: timedOut, duration_ms: Math.round(performance.now() - begun) };
      } finally {
        killSandbox(folder, record);
        await waitForEnd(folder, record, 5000);
        if (record.mode !== 'unsandboxed') for (const path of writable) await takeBack(path, record.uid !== undefined);
        await discardSandbox(host, folder, record);
      }
    },
  };
}

/** The writable folders of a step. Owners and modes of all files below them change, so they must not be links that an earlier step left. */
function writableFolders({ mounts }: StepSpec): string[] {
  const folders = mounts.filter((mount) => mount.writable).map((mount) => mount.from);
  for (const path of folders) if (!lstatSync(path).isDirectory()) throw new Error(`A step may only write to folders, and ${path} is none.`);
  return folders;
}

async function createStep(
  host: Host,
  parent: string,
  { step, writable, signal }: { step: StepSpec; writable: string[]; signal: AbortSignal },
): Promise<{ folder: Folder; record: SandboxRecord; chain: Chain }> {
  const id = randomUUID();
  const folder = sandboxFolder(parent, id);
  const { record, chain } = await createSandbox(host, folder, {
    identity: { id, deployment_id: '', generation: 0, limits: step.limits },
    egress: step.egress,
    registries: step.registries,
    kind: 'build',
    writable,
    launch: { ...step, hostname: toHostname(step.name), hasApp: false, dieWithParent: true },
    fill: async (owner) => {
      if (owner !== undefined) for (const path of writable) await changeOwner(path, owner, signal);
    },
    signal,
  });
  return { folder, record, chain };
}

/** Starts the step's supervisor. Resolves once it has exited and all of its output was read. */
function startStep(folder: Folder, chain: Chain, onLine: OnLine): Promise<void> {
  const supervisor = ['--pdeathsig', 'KILL', 'sh', script('step.sh'), folder.path];
  const child = startDetached('setpriv', [...supervisor, ...chain.command], { env: chain.env, output: 'pipe' });
  const { promise: closed, resolve, reject } = Promise.withResolvers<void>();
  child.on('error', reject);
  child.on('close', () => resolve());
  for (const stream of ['stdout', 'stderr'] as const) {
    const lines = lineSplitter((line) => onLine(stream, withoutLauncher(line)));
    child[stream]?.on('data', (chunk: Buffer) => lines.push(chunk)).on('end', () => lines.end());
  }
  return closed;
}

/** Enforces the limits of the step until it has ended. Kills it when its time is over or the signal aborts. */
async function superviseStep(
  host: Host,
  { step, folder, record }: RunningStep,
  { closed, signal }: { closed: Promise<void>; signal: AbortSignal },
): Promise<{ timedOut: boolean }> {
  let timedOut = false;
  const kill = () => killSandbox(folder, record);
  const leftovers = setInterval(() => endLeftovers(folder, record), 100);
  const watch = watchLimits(folder, record, host.log);
  const readMeter = diskMeter(host.dataDir);
  const metering = setInterval(() => {
    readMeter().then(watch.diskLost, (err: unknown) => host.log.warn({ err }, 'How full the disk is could not be asked.'));
  }, METER_MS);
  const timer = setTimeout(() => {
    timedOut = true;
    kill();
  }, step.timeout_ms);
  signal.addEventListener('abort', kill, { once: true });
  if (signal.aborted) kill();
  try {
    await closed;
    return { timedOut };
  } finally {
    clearTimeout(timer);
    clearInterval(metering);
    watch.stop();
    clearInterval(leftovers);
    signal.removeEventListener('abort', kill);
  }
}

function endOfStep(
  { folder, record }: RunningStep,
  timedOut: boolean,
): Pick<StepResult, 'code' | 'signal' | 'oom' | 'disk_full' | 'forks_refused'> {
  const status = readStatus(folder);
  const decoded = status !== undefined ? decodeStatus(status) : { code: null, signal: 'SIGKILL' };
  const killed = readText(folder.killed)?.trimEnd();
  const oom = killed === 'memory' || (!timedOut && record.cgroup !== undefined && decoded.code !== 0 && oomKills(record.cgroup) > 0);
  const disk_full = killed === 'disk' || decoded.signal === 'SIGXFSZ';
  const forks_refused = record.cgroup !== undefined && forksRefused(record.cgroup) > 0;
  return { ...decoded, oom, disk_full, forks_refused };
}

/** A step does not outlive its server. The remains of steps whose server was killed are removed before the first new step. */
async function sweepSteps(host: Host, parent: string): Promise<void> {
  await removeUnrecorded(host, parent).catch((err: unknown) => host.log.warn({ err }, 'Remains of steps could not be removed.'));
  for (const id of listIds(parent)) {
    const folder = sandboxFolder(parent, id);
    const record = readJson<SandboxRecord>(folder.record, host.troubles);
    if (!record) continue;
    if (record.boot !== bootId() || !isAlive(record.starter)) await discardSandbox(host, folder, record);
  }
}

async function changeOwner(path: string, owner: number, signal?: AbortSignal): Promise<void> {
  await run('chown', ['-hR', `${owner}:${owner}`, '--', path], { timeoutMs: 120_000, ...(signal ? { signal } : {}) });
}

/**
 * Returns the files to the platform. Agents, each with another user id, must be able to read them, and no file may have its set-user-id
 * bit.
 */
async function takeBack(path: string, hadOwner: boolean): Promise<void> {
  if (hadOwner) await changeOwner(path, process.getuid?.() ?? 0);
  await run('chmod', ['-R', 'u+rwX,go+rX,go-w,a-s', '--', path], { timeoutMs: 120_000 });
}

function toHostname(name: string): string {
  return (
    name
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .slice(0, 40)
      .replace(/^-|-$/g, '') || 'step'
  );
}
