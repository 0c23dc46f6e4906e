import { sandboxInit } from './ending.ts';
import { reachPort } from './host-network.ts';
import { type ListeningPort, listeningPorts } from './ports.ts';
import type { Folder, SandboxRecord } from './records.ts';
import { SANDBOX_PORT } from './sandbox.ts';

/** The ports on which the instance listens inside its own network, $PORT first. */
export function instancePorts(folder: Folder, record: SandboxRecord): ListeningPort[] {
  const pid = sandboxInit(folder);
  return pid === undefined ? [] : listeningPorts(pid, record.host_port ?? SANDBOX_PORT);
}

/** Makes a port of the instance reachable from this host. */
export async function exposePort(folder: Folder, record: SandboxRecord, port: number): Promise<{ host: string; port: number }> {
  if (!record.network) throw new Error(`Instance ${record.id} has no network.`);
  const open = instancePorts(folder, record).find((candidate) => candidate.port === port);
  // A port that is not open yet may come up on either; the detour through the loopback serves both.
  await reachPort(record.network, port, open && !open.loopback_only ? 'direct' : 'loopback');
  return { host: record.network.address, port };
}
