import type { Blobs } from '../../blobs/blobs.ts';
import type { Core, Feature } from '../../core.ts';
import { commentBytes, commitInComment } from './archive-commit.ts';
import { changesStore } from './changes/changes-store.ts';
import { compareDeployments } from './changes/compare.ts';
import type { AttachTo } from './databases.ts';
import type { MayDeploy } from './may-deploy.ts';
import { packagesStore } from './packages-store.ts';
import { provenanceStore } from './provenance-store.ts';
import { redeploy } from './redeploy.ts';
import { retainedArtifacts } from './retained-artifacts.ts';
import { deploymentRoutes } from './routes.ts';
import { sampleArchives } from './samples.ts';
import { forgetGivenSecrets, removeOldMoves } from './states.ts';
import { deploymentStore, type KeepSettings, type MayQueue, type NameProject } from './store.ts';

interface Deps {
  attachDatabases: AttachTo;
  blobs: Blobs;
  examplesDir: string;
  /** Paddock's version. */
  version: string;
  mayDeploy: MayDeploy;
  mayQueue: MayQueue;
  keepSettings: KeepSettings;
  nameProject: NameProject;
}

/**
 * The deployments API and its storage. The background work is in `run/worker.ts` and `run/supervisor.ts`, on servers that can run agents.
 */
export function deploymentFeature(
  { sql, seal, config }: Pick<Core, 'sql' | 'seal' | 'config'>,
  { attachDatabases, blobs, examplesDir, version, mayDeploy, mayQueue, keepSettings, nameProject }: Deps,
): Feature<ReturnType<typeof retainedArtifacts> & { liveProvenance: ReturnType<typeof provenanceStore>['live'] }> {
  const store = deploymentStore(sql, { mayQueue, keepSettings });
  const provenance = provenanceStore(sql);
  const startsAsZip = (bytes: Buffer) => /^PK(\x03\x04|\x05\x06)/.test(bytes.toString('latin1'));
  return {
    routes: [
      deploymentRoutes({
        store,
        provenance,
        packages: packagesStore(sql),
        version,
        compare: compareDeployments({ store: changesStore(sql), provenance, blobs }),
        again: redeploy({ store, seal, attachDatabases, blobExists: blobs.exists, digestOf: blobs.digest, mayDeploy }),
        attachDatabases,
        config,
        storeSample: sampleArchives(examplesDir, blobs),
        looksLikeZip: async (id) => startsAsZip(await blobs.head(id, 4)),
        commitOf: async (id) => commitInComment(await blobs.tail(id, commentBytes)),
        mayDeploy,
        nameProject,
      }),
    ],
    jobs: [
      { name: 'move.retain', everySeconds: 3600, run: () => removeOldMoves(sql) },
      { name: 'given-secret.sweep', everySeconds: 3600, run: () => forgetGivenSecrets(sql) },
    ],
    exports: { ...retainedArtifacts(sql), liveProvenance: provenance.live },
  };
}
