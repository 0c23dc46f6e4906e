import { existsSync, rmSync } from 'node:fs';
import { type HostRule, type RefusedHost, refusingRule } from '../../hosts.ts';
import type { Host } from '../host/host.ts';
import { tryLock } from '../host/lock.ts';
import { hostResolvers } from '../network/egress.ts';
import { leadNames } from '../network/host-rules.ts';
import { writeJson } from '../records/notes.ts';
import { type Folder, listIds, readJson, type SandboxRecord, sandboxFolder } from '../records/records.ts';
import { type Door, openDoor } from './doors.ts';
import { closeHosts, digestOf, heldDigest, type OpenAddress, openAddresses } from './filter.ts';
import { type Opened, openedAddresses } from './opened.ts';
import { refusals } from './refusals.ts';
import { type Asking, resolving } from './resolve.ts';
import { askUpstream, type NameServer } from './upstream.ts';

export type Guard = ReturnType<typeof hostGuard>;

interface Held extends Asking {
  folder: Folder;
  record: SandboxRecord;
  digest: string;
  opened: Opened;
  /** When the kernel was last seen to hold the sandbox to these rules, by `performance.now()`. */
  seenMs: number;
  /** Where the sandbox asks, if no other one asks there. */
  door?: Door;
}

const everyMs = 1_000;
/** Somebody who is not known may have been started by another process just now. */
const lookAgainMs = 200;
/** What an administrator removes from the kernel is put back within this time. */
const trustMs = 10_000;

/**
 * Holds instances to rules about hosts. The rules stand beside the record of the instance and in the kernel: both outlive this process, and
 * while no process answers for names, none is found. If several processes run a driver on the same folder, one of them answers. Nothing
 * of this runs before an instance has rules.
 */
export function hostGuard(host: Host, parent: string, nameServers?: () => NameServer[]) {
  const held = new Map<string, Held>();
  const working = new Map<string, Promise<unknown>>();
  const telling = refusals();
  const upstream = nameServers ?? (() => hostResolvers().map((address) => ({ address, port: 53 })));
  const resolve = resolving((asked, transport) => askUpstream(upstream(), asked, transport));
  let release: (() => Promise<void>) | undefined;
  let door: Door | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  let lookedMs = 0;
  let ledMs = 0;
  let begun: Promise<void> | undefined;
  if (listIds(parent).some((id) => existsSync(sandboxFolder(parent, id).hosts))) void begin();

  /** Resolves once the names that instances ask for by now are answered here, or another process does it. */
  async function begin(): Promise<void> {
    if (!begun) return await (begun = turn());
    await begun;
    if (release && !isClosed) await serve();
  }

  async function turn(): Promise<void> {
    try {
      release ??= await tryLock(`names ${host.tag}`);
      if (release && !isClosed) await serve();
    } catch (error) {
      host.log.warn({ err: error }, 'Agents that are held to hosts find no names; trying again.');
    }
    if (isClosed) return;
    timer = setTimeout(() => {
      begun = turn();
    }, everyMs).unref();
  }

  async function serve(): Promise<void> {
    look();
    if (host.mode === 'root') {
      door ??= await openDoor({ resolve, who: askingFrom });
      if (ledMs === 0 || performance.now() - ledMs > trustMs) await leadNames(host.tag, door.port);
      ledMs = performance.now();
      return;
    }
    for (const one of held.values()) {
      if (!one.door && one.record.names_port !== undefined)
        one.door = await openDoor({ resolve, who: () => one, port: one.record.names_port });
    }
  }

  /** Reads which instances have rules, and which. */
  function look(): void {
    lookedMs = performance.now();
    const present = new Set(listIds(parent));
    for (const [id, one] of held) if (!present.has(id) || existsSync(one.folder.exit) || !existsSync(one.folder.hosts)) drop(id);
    for (const id of present) {
      const folder = held.get(id)?.folder ?? sandboxFolder(parent, id);
      const rules = existsSync(folder.hosts) && !existsSync(folder.exit) ? readJson<HostRule[]>(folder.hosts, host.troubles) : undefined;
      const record = rules && readJson<SandboxRecord>(folder.record, host.troubles);
      if (rules && record) know(folder, record, rules);
    }
  }

  function know(folder: Folder, record: SandboxRecord, rules: readonly HostRule[]): Held {
    const digest = digestOf(rules);
    const before = held.get(record.id);
    if (before?.digest === digest) return before;
    const opened = before?.opened ?? openedAddresses((addresses) => openAddresses(folder, record, addresses));
    const one = before ?? { folder, record, rules, digest, opened, seenMs: 0, inFlight: 0, refused: () => undefined };
    one.refused = (name) => telling.tell({ instance_id: record.id, deployment_id: record.deployment_id, host: name });
    Object.assign(one, { rules, digest, seenMs: 0 });
    held.set(record.id, one);
    return one;
  }

  function drop(id: string): void {
    held.get(id)?.door?.close();
    held.delete(id);
  }

  function askingFrom(address: string): Asking | undefined {
    const found = () => [...held.values()].find(({ record }) => record.network?.address === address);
    const known = found();
    if (known || performance.now() - lookedMs < lookAgainMs) return known;
    look();
    return found();
  }

  async function hold(folder: Folder, record: SandboxRecord, rules: readonly HostRule[]): Promise<void> {
    if (rules.length === 0) {
      if (!existsSync(folder.hosts)) return;
      await closeHosts(folder, record, { rules, opened: [] });
      rmSync(folder.hosts, { force: true }); // last: until then the next call tries again
      return drop(record.id);
    }
    if (record.mode === 'unsandboxed') throw new Error('Without a sandbox nothing can hold an agent to hosts.');
    const before = readJson<HostRule[]>(folder.hosts, host.troubles);
    if (!before || digestOf(before) !== digestOf(rules)) writeJson(folder.hosts, rules);
    const one = know(folder, record, rules);
    await begin();
    if (performance.now() - one.seenMs < trustMs && one.seenMs > 0) return;
    if ((await heldDigest(folder, record)) !== one.digest) {
      const opened: OpenAddress[] = one.opened.kept((name) => !refusingRule(rules, name));
      await closeHosts(folder, record, { rules, opened });
    }
    one.seenMs = performance.now();
  }

  return {
    /** Resolves once the kernel holds the instance to these rules, and to no others. Throws where that is not possible. */
    hold(folder: Folder, record: SandboxRecord, rules: readonly HostRule[]): Promise<void> {
      const before = working.get(record.id) ?? Promise.resolve();
      const now = before.catch(() => undefined).then(() => hold(folder, record, rules));
      working.set(record.id, now);
      const forget = () => working.get(record.id) === now && working.delete(record.id);
      now.then(forget, forget);
      return now;
    },
    begin,
    onRefused: (listener: (refused: RefusedHost) => void) => telling.on(listener),
    async close(): Promise<void> {
      isClosed = true;
      clearTimeout(timer);
      await begun;
      clearTimeout(timer);
      for (const id of held.keys()) drop(id);
      door?.close();
      await release?.();
    },
  };
}
