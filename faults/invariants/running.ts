import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { nodeName } from '../../apps/server/src/nodes/node-name.ts';
import { thisHost } from '../../packages/runtime/src/process/host/host.ts';
import { listCgroups } from '../../packages/runtime/src/process/limits/cgroup-root.ts';
import { listNetworks } from '../../packages/runtime/src/process/network/slots.ts';
import { spareState } from '../../packages/runtime/src/process/network/spare-networks.ts';
import { detectPhase, readJson, type SandboxRecord, sandboxFolder } from '../../packages/runtime/src/process/records/records.ts';
import type { World } from '../world.ts';
import { read } from './resources.ts';

const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** I4: compares the instances that the database wants with those on the machine, by records, networks, control groups and processes. */
export async function strayInstances({ sql, paddock }: World): Promise<string[]> {
  const dataDir = join(paddock.dataDir, 'runtime');
  const node = nodeName(paddock.dataDir);
  const host = thisHost({ dataDir, installation: node, log: quiet });
  const wanted = new Set(
    (
      await sql<{ instance_id: string }[]>`select instance_id from deployments where instance_id is not null and node = ${node}
        and ((status = 'active' and restart_at is null) or (drain_until > now() and status <> 'active'))`
    ).map((row) => row.instance_id),
  );
  const records = recordsIn(join(dataDir, 'instances'));
  const running = new Set(records.filter(({ isRunning }) => isRunning).map(({ id }) => id));
  // Spare networks that a live server keeps for the next starts have no owner yet. Those of a dead server are leftovers.
  const networks = listNetworks(host.tag).flatMap(({ owner, network }) =>
    spareState(owner) === 'kept' ? [] : [owner ?? network.namespace],
  );
  const groups = host.cgroups ? listCgroups(host.cgroups).map(({ name }) => name) : [];
  const isIn = (set: Set<string>) => (id: string) => set.has(id);
  const uids = new Set(records.filter(({ isRunning }) => isRunning).map(({ uid }) => uid));
  return [
    ...[...wanted].filter((id) => !running.has(id)).map((id) => `I4: ${id} should run and does not`),
    ...[...running].filter((id) => !wanted.has(id)).map((id) => `I4: ${id} runs and should not`),
    ...records.filter(({ id }) => !wanted.has(id)).map(({ id }) => `I4: ${id} is still on record`),
    ...networks.filter((id) => !isIn(wanted)(id)).map((id) => `I4: the network of ${id} is left`),
    ...groups.filter((id) => !isIn(wanted)(id)).map((id) => `I4: the control group of ${id} is left`),
    ...processesWithout(uids, records).map((pid) => `I4: process ${pid} of an ended instance still runs`),
  ];
}

function recordsIn(parent: string) {
  if (!existsSync(parent)) return [];
  return readdirSync(parent).flatMap((id) => {
    const folder = sandboxFolder(parent, id);
    const record = readJson<SandboxRecord>(folder.record);
    return record ? [{ id, uid: record.uid, isRunning: detectPhase(folder, record) === 'running' }] : [];
  });
}

/** Processes with the user id of a recorded instance that does not run. */
function processesWithout(running: Set<number | undefined>, records: { uid: number | undefined }[]): number[] {
  const ended = new Set(records.map(({ uid }) => uid).filter((uid) => uid !== undefined && !running.has(uid)));
  if (!ended.size) return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      const uid = /^Uid:\t(\d+)/m.exec(read(`/proc/${pid}/status`))?.[1];
      return ended.has(Number(uid));
    });
}
