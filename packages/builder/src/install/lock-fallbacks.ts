import { join } from 'node:path';
import { BuildError } from '../build-error.ts';
import { addToPackageJson } from './add-to-package-json.ts';
import { computeCutoff } from './anew.ts';
import { findForeignHost, isLocked, lockOf, unlocked, withoutAddresses, withoutLock } from './node-locks.ts';
import { canBeOlder, installDated, removeInstalled } from './node-packages.ts';
import type { PackagesRequest } from './packages-request.ts';
import { saysNoVersion } from './reasons/not-found.ts';
import { saysPeersExclude } from './reasons/versions.ts';

/**
 * Installs by the lock file, if there is one. A version that was unpublished since is not a failure: the lock is ignored then, and versions
 * of the archive's date are installed, or the newest if the archive is only days old. Nor are peers that exclude each other: many authors
 * install with npm's --legacy-peer-deps, which nothing in the archive says. Nor is a lock that names the author's own registry.
 */
export async function installPackages(given: PackagesRequest): Promise<void> {
  const parts = await withAdded(given);
  const { context, install: planned, say } = parts.request;
  try {
    await fromUsualRegistry(parts);
  } catch (error) {
    if (!isLocked(planned.command) || !(error instanceof BuildError) || !saysNoVersion(error)) throw error;
    const lock = lockOf(planned);
    say(`${error.message} ${lock} names it; resolving anew …`);
    const install = { ...planned, command: unlocked(planned) };
    const isOld = computeCutoff(parts.request) !== undefined && canBeOlder(install);
    for (const onlyOlder of isOld ? [true, false] : [false]) {
      await removeInstalled(parts);
      try {
        await withoutLock(placeOf(parts), planned, () => withLoosePeers({ ...parts, request: { ...parts.request, install, onlyOlder } }));
      } catch (again) {
        context.signal.throwIfAborted();
        if (!(again instanceof BuildError)) throw again;
        say('That failed, too.');
        continue;
      }
      const taken = onlyOlder ? `of ${parts.request.archiveDate}, the newest date in the archive,` : 'that are newest';
      const advice = 'make the lock file again for a build that repeats exactly';
      return parts.warn(`${error.message} ${lock} names it, so the versions ${taken} were taken; ${advice}.`);
    }
    throw error;
  }
}

const placeOf = ({ tree, folder }: PackagesRequest) => join(tree, folder);

/** Adds the packages that the user gave to the package.json which the client reads. Locked versions are kept if they match. */
async function withAdded(parts: PackagesRequest): Promise<PackagesRequest> {
  const { request, tree } = parts;
  const { install, plan } = request;
  if (install.extra.length === 0) return parts;
  await addToPackageJson(install.needs_source ? join(tree, plan.root) : tree, install.extra);
  return {
    ...parts,
    isAddedToLock: isLocked(install.command),
    request: { ...request, install: { ...install, command: unlocked(install) } },
  };
}

/**
 * If npm's lock file names a host that is not reached, its packages are taken from the registry in use. The lock's digests still decide
 * whether they are the same files.
 */
async function fromUsualRegistry(parts: PackagesRequest): Promise<void> {
  const { install: planned, say } = parts.request;
  try {
    await withLoosePeers(parts);
  } catch (error) {
    if (planned.manager !== 'npm' || !(error instanceof BuildError)) throw error;
    const foreign = await findForeignHost(placeOf(parts), planned, error.message);
    if (foreign === undefined) throw error;
    const lock = lockOf(planned);
    say(`${error.message} ${lock} names it; trying the registry of this machine …`);
    await removeInstalled(parts);
    await withoutAddresses(placeOf(parts), { planned, host: foreign.host }, () => withLoosePeers(parts));
    parts.warn(
      `${lock} names ${foreign.host} (${foreign.count} times), which this machine doesn’t reach. The same files, by the digests in ${lock}, were taken from its own registry.`,
    );
  }
}

async function withLoosePeers(parts: PackagesRequest): Promise<void> {
  const { context, install: planned, say } = parts.request;
  try {
    await installDated(parts);
  } catch (error) {
    if (planned.manager !== 'npm' || !(error instanceof BuildError) || !saysPeersExclude(error)) throw error;
    say(`${error.message} Trying without npm’s check of such pairs (--legacy-peer-deps) …`);
    await removeInstalled(parts);
    try {
      await installDated({ ...parts, env: { ...parts.env, npm_config_legacy_peer_deps: 'true' } });
    } catch (again) {
      context.signal.throwIfAborted();
      if (!(again instanceof BuildError) || saysNoVersion(again)) throw again;
      say('That failed, too.');
      throw error;
    }
    parts.warn(`${error.message} They were installed all the same, as with npm’s --legacy-peer-deps.`);
  }
}
