import { statSync } from 'node:fs';
import type { Host } from '../host/host.ts';
import { removeCgroup } from '../limits/cgroup.ts';
import { listCgroups, removeOlderFolder } from '../limits/cgroup-root.ts';
import { removeNetwork } from '../network/host-network.ts';
import { listNetworks } from '../network/slots.ts';
import { spareState } from '../network/spare-networks.ts';
import { listIds, readJson, sandboxFolder } from '../records/records.ts';
import { removeFolder } from '../start/create-sandbox.ts';

/** A younger network may belong to a start in another process. */
const MIN_AGE_MS = 60_000;

/**
 * Removes networks and control groups that carry our tag but belong to no recorded sandbox, because of a crash between two steps or because
 * somebody emptied the data folder. Never touches those of another installation.
 */
export async function sweepHost(host: Host, isKnown: (id: string) => boolean): Promise<void> {
  if (host.mode === 'root') {
    for (const { network, owner, ageMs } of listNetworks(host.tag)) {
      if (isInUse(owner, ageMs, isKnown)) continue;
      await removeNetwork(host.tag, network, owner);
      host.log.info({ network: network.namespace }, 'Removed a network that no instance uses any more.');
    }
  }
  if (!host.cgroups) return;
  for (const { name, cgroup } of listCgroups(host.cgroups)) {
    if (isKnown(name)) continue;
    await removeCgroup(cgroup);
    host.log.info({ group: name }, 'Ended the processes of an instance that is on no record.');
  }
  removeOlderFolder(host.cgroups);
}

/**
 * Removes folders without a readable record: the process that started the sandbox was killed before it wrote the record, or the power
 * failed. Nothing runs in them, and nothing else would ever remove them. `lock` excludes starts of the same id; without it, young folders
 * are skipped.
 */
export async function removeUnrecorded(
  host: Host,
  parent: string,
  lock?: (id: string, work: () => Promise<void>) => Promise<void>,
): Promise<void> {
  for (const id of listIds(parent)) {
    const { path } = sandboxFolder(parent, id);
    const remove = async () => {
      if (!hasRecord(parent, id)) await removeFolder(path, host.mode);
    };
    if (hasRecord(parent, id)) continue;
    if (lock) await lock(id, remove);
    else if (Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()) > MIN_AGE_MS) await remove();
  }
}

/** An unreadable record counts as a record: the disk may fail only for a moment. */
function hasRecord(parent: string, id: string): boolean {
  try {
    return readJson(sandboxFolder(parent, id).record) !== undefined;
  } catch {
    return true;
  }
}

function isInUse(owner: string | undefined, ageMs: number, isKnown: (id: string) => boolean): boolean {
  const spare = spareState(owner);
  if (spare) return spare === 'kept';
  return ageMs < MIN_AGE_MS || (owner !== undefined && isKnown(owner));
}
