import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sandboxInit, sandboxProcesses, waitForInit } from '../proc/members.ts';
import { type ListeningPort, listeningPorts, socketInodes } from '../proc/ports.ts';
import type { Folder, SandboxRecord } from '../records/records.ts';
import { SANDBOX_PORT } from '../sandbox/bwrap.ts';
import { reachPort } from './host-network.ts';
import { redirectPort } from './user-network.ts';

/** The ports on which the instance listens inside its own network, $PORT first. */
export function instancePorts(folder: Folder, record: SandboxRecord): ListeningPort[] {
  if (record.mode === 'unsandboxed') {
    const pids = sandboxProcesses(folder, record);
    return pids[0] === undefined ? [] : listeningPorts(pids[0], record.host_port ?? 0, socketInodes(pids));
  }
  const init = sandboxInit(folder);
  if (init === undefined) return [];
  return listeningPorts(init, SANDBOX_PORT).filter(({ port }) => !record.held_ports?.includes(port));
}

/** Makes a port of the instance reachable from this host. */
export async function exposePort(folder: Folder, record: SandboxRecord, port: number): Promise<{ host: string; port: number }> {
  if (record.mode === 'unsandboxed') return { host: '127.0.0.1', port };
  const open = instancePorts(folder, record).find((candidate) => candidate.port === port);
  if (record.network) {
    // A port that is not open yet may be opened on 127.0.0.1 or on all addresses. The detour through the loopback works for both.
    const detoured = join(folder.path, 'detoured');
    if (!open || open.loopback_only) {
      writeFileSync(detoured, ''); // written before the detour: undoing a missing detour after a crash is harmless
      await reachPort(record.network, port, 'loopback');
    } else if (existsSync(detoured)) {
      await reachPort(record.network, port, 'direct');
    }
    return { host: record.network.address, port };
  }
  if (record.host_port === undefined) throw new Error(`${record.id} has no port.`);
  await redirectPort(await waitForInit(folder, record), port);
  return { host: '127.0.0.1', port: record.host_port };
}
