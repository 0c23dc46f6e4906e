import { BuildError, build, type Toolchains } from '@paddock/builder';
import type { Probe, StepRunner } from '@paddock/runtime';
import type { Blobs } from '../../../blobs/blobs.ts';
import type { Config } from '../../../config.ts';
import type { RunParts } from './parts.ts';

interface Given {
  config: Pick<Config, 'dataDir' | 'buildLimits' | 'egressAllow'>;
  blobs: Blobs;
  steps: StepRunner;
  probed: Probe;
  toolchains: Toolchains;
}

/** ZIP → artifact, where agents can run and the archive is at hand. */
export const builds =
  ({ config, blobs, steps, probed, toolchains }: Given): RunParts['build'] =>
  async ({ d, env, out, onPlan, signal }) => {
    if (!probed.ok)
      throw new BuildError('unpack', 'no_runtime', {
        message: `Agents cannot run on this machine: ${probed.reason}`,
        hint: `To mend it: ${probed.remedy}`,
      });
    if (!(await blobs.exists(d.source_blob)))
      throw new BuildError('unpack', 'archive_missing', {
        message: 'The archive is not in the folder where this server looks for it.',
        hint: 'Ask the operator: all servers of one database need the same PADDOCK_BLOB_URL, and a backup includes that folder.',
      });
    return build({
      zipPath: blobs.path(d.source_blob),
      settings: d.settings,
      teamId: d.team_id,
      dataDir: config.dataDir,
      run: steps,
      onLine: (stream, text) => (stream === 'system' ? out.write('build', 'info', text) : out.build(stream, text)),
      onPlan,
      signal,
      buildEnv: env,
      limits: config.buildLimits,
      egressAllow: config.egressAllow,
      toolchains,
    });
  };
