import type { Blobs } from '../../blobs/blobs.ts';
import type { Offered, Parts } from '../../parts.ts';
import { deployAgain } from './again.ts';
import type { AttachTo } from './databases.ts';
import { inUse } from './in-use.ts';
import type { MayDeploy } from './may-deploy.ts';
import { deploymentRoutes } from './routes.ts';
import { sampleArchives } from './samples.ts';
import { removeOldMoves } from './states.ts';
import { deploymentStore } from './store.ts';

interface Needs {
  attachDatabases: AttachTo;
  blobs: Blobs;
  examplesDir: string;
  mayDeploy: MayDeploy;
}

/** What people ask of deployments, and what is kept of them. What moves them is in `run/worker.ts` and `run/supervise.ts`, where agents can run. */
export function deploymentFeature(
  { sql, seal, config }: Pick<Parts, 'sql' | 'seal' | 'config'>,
  { attachDatabases, blobs, examplesDir, mayDeploy }: Needs,
): Offered<ReturnType<typeof inUse>> {
  const store = deploymentStore(sql);
  const startsAsZip = (bytes: Buffer) => /^PK(\x03\x04|\x05\x06)/.test(bytes.toString('latin1'));
  return {
    routes: [
      deploymentRoutes({
        store,
        again: deployAgain({ store, seal, attachDatabases, blobExists: blobs.exists, mayDeploy }),
        attachDatabases,
        config,
        storeSample: sampleArchives(examplesDir, blobs),
        looksLikeZip: async (id) => startsAsZip(await blobs.head(id, 4)),
        mayDeploy,
      }),
    ],
    jobs: [{ name: 'move.retain', everySeconds: 3600, run: () => removeOldMoves(sql) }],
    gives: inUse(sql),
  };
}
