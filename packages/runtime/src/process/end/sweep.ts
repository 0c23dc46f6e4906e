import type { Host } from '../host/host.ts';
import { listCgroups, removeCgroup, removeOlderFolder } from '../limits/cgroup.ts';
import { listNetworks, removeNetwork } from '../network/host-network.ts';
import { spareState } from '../network/spare-networks.ts';

/** Younger things may belong to a start that is just happening in another process. */
const MIN_AGE_MS = 60_000;

/**
 * Removes networks and control groups that carry our tag but belong to no sandbox on record: left by a crash between two
 * steps, or by a data folder that was emptied by hand. Never touches what another installation made.
 */
export async function sweepHost(host: Host, isKnown: (id: string) => boolean): Promise<void> {
  if (host.mode === 'root') {
    for (const { network, owner, ageMs } of listNetworks(host.tag)) {
      const spare = spareState(owner);
      if (spare === 'kept' || (!spare && (ageMs < MIN_AGE_MS || (owner !== undefined && isKnown(owner))))) continue;
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
