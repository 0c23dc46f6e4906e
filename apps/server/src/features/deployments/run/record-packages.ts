import { type Artifact, installedPackages } from '@paddock/builder';
import type { Sql } from '../../../db/connect.ts';
import { createIsolatedLoop } from '../../../jobs/isolated-loop.ts';
import type { Log } from '../../../log.ts';
import { type Built, packagesStore } from '../packages-store.ts';

const limitMs = 40_000;

/** Reads the packages installed in a build, and stores the list. Unreadable packages fail no deployment: the list is stored as partial. */
export function createPackageRecorder({ sql, log, node }: { sql: Sql; log: Log; node: string }) {
  const store = packagesStore(sql);
  const each = createIsolatedLoop(log, 'package list recording');

  const note = async ({ id, artifact }: Built, signal: AbortSignal) => {
    const bounded = AbortSignal.any([signal, AbortSignal.timeout(limitMs)]);
    const read = await installedPackages(artifact, bounded).catch((error: unknown) => {
      signal.throwIfAborted();
      log.warn({ err: error, deployment: id }, 'package list of a build could not be read');
      return { packages: [], is_partial: true };
    });
    await store.keep(id, read);
  };

  return {
    async built(id: string, artifact: Artifact, signal: AbortSignal): Promise<void> {
      try {
        await note({ id, artifact }, signal);
      } catch (error) {
        if (!signal.aborted) log.warn({ err: error, deployment: id }, 'package list of a build could not be stored; retrying later');
      }
    },
    /** For builds of earlier releases, and those whose list could not be stored. */
    async unread(signal: AbortSignal): Promise<void> {
      await each(
        await store.unread(node),
        ({ id }) => id,
        (one) => note(one, signal),
      );
    },
  };
}
