import { randomUUID } from 'node:crypto';
import { existsSync, lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { StepResult, StepRunner, StepSpec } from '../driver.ts';
import { endLeftovers, killSandbox, waitForEnd } from './end/ending.ts';
import { type HostOptions, thisHost } from './host/host.ts';
import { run } from './host/run.ts';
import { oomKills } from './limits/cgroup.ts';
import { diskMeter } from './limits/disk-meter.ts';
import { type Watch, watchLimits } from './limits/watch.ts';
import { lineSplitter } from './output/lines.ts';
import { bootId, isAlive } from './proc/processes.ts';
import { decodeStatus, listIds, readJson, readText, type SandboxRecord, sandboxFolder, statusOf } from './records/records.ts';
import { script, startDetached } from './sandbox/launch.ts';
import { createSandbox, discardSandbox, setupError } from './start/create-sandbox.ts';

/** A fast writer fills a gigabyte in a second. */
const METER_MS = 100;

/** Runs build steps in the sandbox of the process driver, each with a user id and a network of its own as root. */
export function stepRunner(options: HostOptions): StepRunner {
  const host = thisHost(options);
  const parent = join(host.dataDir, 'steps');
  const swept = sweep();

  return { isolated: host.mode !== 'unsandboxed', run: runStep };

  async function runStep(
    step: StepSpec,
    onLine: (stream: 'stdout' | 'stderr', line: string) => void,
    signal: AbortSignal,
  ): Promise<StepResult> {
    await swept;
    const id = randomUUID();
    const folder = sandboxFolder(parent, id);
    const begun = performance.now();
    const writable = step.mounts.filter((mount) => mount.writable).map((mount) => mount.from);
    // Owners and modes of everything below change: a link left by an earlier step must not lead that elsewhere.
    for (const path of writable)
      if (!lstatSync(path).isDirectory()) throw new Error(`A step may only write to folders, and ${path} is none.`);
    const { record, chain } = await createSandbox(
      host,
      folder,
      {
        identity: { id, deployment_id: '', generation: 0, limits: step.limits },
        egress: step.egress,
        registries: step.registries,
        kind: 'build',
        writable,
        launch: { ...step, hostname: hostnameOf(step.name), hasApp: false, dieWithParent: true },
        fill: async (owner) => {
          if (owner !== undefined) for (const path of writable) await changeOwner(path, owner, signal);
        },
      },
      signal,
    );
    let timedOut = false;
    try {
      const supervisor = ['--pdeathsig', 'KILL', 'sh', script('step.sh'), folder.path];
      const child = startDetached('setpriv', [...supervisor, ...chain.command], chain.env, 'pipe');
      const { promise: closed, resolve, reject } = Promise.withResolvers<number | null>();
      child.on('error', reject);
      child.on('close', (code) => resolve(code));
      for (const stream of ['stdout', 'stderr'] as const) {
        const lines = lineSplitter((line) => onLine(stream, line));
        child[stream]?.on('data', (chunk: Buffer) => lines.push(chunk)).on('end', () => lines.end());
      }
      const end = () => killSandbox(folder, record);
      const leftovers = setInterval(() => endLeftovers(folder, record), 100);
      const watch = watchLimits(folder, record, host.log);
      const metering = meterDisk(watch);
      const timer = setTimeout(() => {
        timedOut = true;
        end();
      }, step.timeout_ms);
      signal.addEventListener('abort', end, { once: true });
      if (signal.aborted) end();
      try {
        await closed;
      } finally {
        clearTimeout(timer);
        clearInterval(metering);
        watch.stop();
        clearInterval(leftovers);
        signal.removeEventListener('abort', end);
      }
      if (!existsSync(folder.entered) && !timedOut && !signal.aborted)
        throw new Error(`The sandbox of the step could not be set up: ${setupError(folder)}`);
      const status = statusOf(folder);
      const decoded = status !== undefined ? decodeStatus(status) : { code: null, signal: 'SIGKILL' };
      const killed = readText(folder.killed)?.trimEnd();
      const oom = killed === 'memory' || (!timedOut && record.cgroup !== undefined && decoded.code !== 0 && oomKills(record.cgroup) > 0);
      const disk_full = killed === 'disk' || decoded.signal === 'SIGXFSZ';
      return { ...decoded, oom, disk_full, timed_out: timedOut, duration_ms: Math.round(performance.now() - begun) };
    } finally {
      killSandbox(folder, record);
      await waitForEnd(folder, record, 5000);
      if (record.mode !== 'unsandboxed') for (const path of writable) await takeBack(path, record.uid !== undefined);
      await discardSandbox(host, folder, record);
    }
  }

  function meterDisk(watch: Watch): NodeJS.Timeout {
    const meter = diskMeter(host.dataDir);
    return setInterval(() => {
      meter().then(watch.diskLost, (err: unknown) => host.log.warn({ err }, 'How full the disk is could not be asked.'));
    }, METER_MS);
  }

  /** A step does not outlive its server; what a killed one left behind goes before the first new step. */
  async function sweep(): Promise<void> {
    for (const id of listIds(parent)) {
      const folder = sandboxFolder(parent, id);
      const record = readJson<SandboxRecord>(folder.record, host.troubles);
      if (!record) continue;
      if (record.boot !== bootId() || !isAlive(record.starter)) await discardSandbox(host, folder, record);
    }
  }
}

async function changeOwner(path: string, owner: number, signal?: AbortSignal): Promise<void> {
  await run('chown', ['-hR', `${owner}:${owner}`, '--', path], { timeoutMs: 120_000, ...(signal ? { signal } : {}) });
}

/**
 * After the step everything belongs to the platform again. Agents, each with another user id, must be able to read it, and
 * nothing in it may carry the rights of its owner.
 */
async function takeBack(path: string, hadOwner: boolean): Promise<void> {
  if (hadOwner) await changeOwner(path, process.getuid?.() ?? 0);
  await run('chmod', ['-R', 'u+rwX,go+rX,go-w,a-s', '--', path], { timeoutMs: 120_000 });
}

function hostnameOf(name: string): string {
  return (
    name
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .slice(0, 40)
      .replace(/^-|-$/g, '') || 'step'
  );
}
