import { BuildError, build, planArchive, type Toolchains } from '@paddock/builder';
import type { Probe, StepRunner } from '@paddock/runtime';
import type { Blobs } from '../../../blobs/blobs.ts';
import type { Config } from '../../../config/config.ts';
import { forPlan } from '../build-settings.ts';
import type { Claimed, NewestFailed } from '../leases.ts';
import type { WorkerDeps } from './worker-deps.ts';

interface Deps {
  config: Pick<Config, 'dataDir' | 'buildLimits' | 'buildSeconds' | 'egressAllow'>;
  blobs: Blobs;
  steps: StepRunner;
  probed: () => Probe;
  toolchains: () => Promise<Toolchains>;
  /** Enforces the size limit of downloads and earlier builds. */
  cache: { keep: () => Promise<void> };
}

/** The part of a failure that a build needs: the message would differ with each start. */
const failedOf = ({ error, below }: NewestFailed) => ({ error, ...(below === undefined ? {} : { below }) });

/** ZIP → plan and ZIP → artifact, on servers that can run agents and have the archive. */
export function createBuild({ config, blobs, steps, probed, toolchains, cache }: Deps): Pick<WorkerDeps, 'build' | 'plan'> {
  /** Input of both. */
  async function source({ source_blob, settings }: Claimed) {
    const runtime = probed();
    if (!runtime.ok)
      throw new BuildError('unpack', 'no_runtime', {
        message: `Agents cannot run on this machine: ${runtime.reason}`,
        hint: `To mend it: ${runtime.remedy}`,
      });
    if (!(await blobs.exists(source_blob)))
      throw new BuildError('unpack', 'archive_missing', {
        message: 'The archive is not in the folder where this server looks for it.',
        hint: 'Ask the operator: all servers of one database need the same PADDOCK_BLOB_URL, and a backup includes that folder.',
      });
    return { zipPath: blobs.path(source_blob), settings: forPlan(settings), dataDir: config.dataDir, toolchains: await toolchains() };
  }

  return {
    plan: async ({ d, signal }) => planArchive({ ...(await source(d)), signal }),
    async build({ d, env, out, onPlan, signal }) {
      const {
        installed: _,
        reused: __,
        release,
        ...artifact
      } = await build({
        ...(await source(d)),
        teamId: d.team_id,
        run: steps,
        onLine: (stream, text) => (stream === 'system' ? out.write('build', 'info', text) : out.build(stream, text)),
        onPlan,
        signal,
        buildEnv: env,
        ...(d.newest_failed === null ? {} : { newestFailed: failedOf(d.newest_failed) }),
        limits: config.buildLimits,
        budgetSeconds: config.buildSeconds,
        egressAllow: config.egressAllow,
      });
      return { artifact, release: () => release().then(() => void cache.keep()) };
    },
  };
}
