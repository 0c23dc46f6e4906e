import { existsSync, rmSync } from 'node:fs';
import { type HostRule, hostRulesDigest, type RefusedHost } from '../../hosts.ts';
import type { Host } from '../host/host.ts';
import { tryLock } from '../host/lock.ts';
import { hostResolvers } from '../network/egress.ts';
import { redirectDns } from '../network/host-rules.ts';
import { type Folder, readJson, type SandboxRecord } from '../records/records.ts';
import { writeJson } from '../records/write-record.ts';
import { type DnsListener, openDnsListener } from './dns-listener.ts';
import { appliedDigest, replaceFilter } from './filter.ts';
import { createRefusedHosts } from './refused-hosts.ts';
import { createResolver } from './resolve.ts';
import { restrictedInstances } from './restricted-instances.ts';
import { type NameServer, queryUpstream } from './upstream.ts';

export type Guard = ReturnType<typeof hostGuard>;

const everyMs = 1_000;
/** Rules that an administrator removes from the kernel are restored within this time. */
const trustMs = 30_000;

/**
 * Enforces host rules for instances. The rules are stored beside the record of the instance and in the kernel, so both outlive this
 * process. While no process answers DNS questions, no name resolves. If several processes run a driver on the same folder, one of them
 * answers. Nothing of this runs before an instance has rules.
 */
export function hostGuard(host: Host, parent: string, nameServers?: () => NameServer[]) {
  const telling = createRefusedHosts();
  const held = restrictedInstances(host, parent, telling);
  const working = new Map<string, Promise<unknown>>();
  const answering = answerNames(host, held, nameServers);
  if (held.areThere()) void answering.begin();

  async function hold(folder: Folder, record: SandboxRecord, rules: readonly HostRule[]): Promise<void> {
    if (rules.length === 0) {
      if (!existsSync(folder.hosts)) return;
      await replaceFilter(folder, record, { rules, opened: [] });
      rmSync(folder.hosts, { force: true }); // removed last: until then the next call tries again
      return held.drop(record.id);
    }
    if (record.mode === 'unsandboxed') throw new Error('Host rules cannot be enforced without a sandbox.');
    const digest = hostRulesDigest(rules);
    if (!held.isWritten(record, folder, digest)) {
      const before = readJson<HostRule[]>(folder.hosts, host.troubles);
      if (!before || hostRulesDigest(before) !== digest) writeJson(folder.hosts, rules);
    }
    const one = held.know(folder, record, rules);
    if (one.seenMs > 0 && performance.now() - one.seenMs < trustMs) return;
    await answering.begin();
    if ((await appliedDigest(folder, record)) !== one.digest) {
      const opened = one.opened.kept(one.index.allows);
      await replaceFilter(folder, record, { rules, opened });
    }
    one.seenMs = performance.now();
  }

  return {
    /** Resolves once the kernel enforces exactly these rules for the instance. Throws if that is not possible. */
    hold(folder: Folder, record: SandboxRecord, rules: readonly HostRule[]): Promise<void> {
      const before = working.get(record.id) ?? Promise.resolve();
      const now = before.catch(() => undefined).then(() => hold(folder, record, rules));
      working.set(record.id, now);
      const forget = () => working.get(record.id) === now && working.delete(record.id);
      now.then(forget, forget);
      return now;
    },
    begin: answering.begin,
    onRefused: (listener: (refused: RefusedHost) => void) => telling.on(listener),
    async close(): Promise<void> {
      await answering.close();
      held.dropAll();
    },
  };
}

/** Answers DNS questions after `begin`, while no other process of this folder does. */
function answerNames(host: Host, held: ReturnType<typeof restrictedInstances>, nameServers?: () => NameServer[]) {
  const upstream = nameServers ?? (() => hostResolvers().map((address) => ({ address, port: 53 })));
  const resolve = createResolver((asked, transport) => queryUpstream(upstream(), asked, transport));
  let release: (() => Promise<void>) | undefined;
  let door: DnsListener | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  let nextLeadMs = 0;
  let turning: Promise<void> | undefined;

  async function turn(): Promise<void> {
    clearTimeout(timer);
    try {
      release ??= await tryLock(`names ${host.tag}`);
      if (release && !isClosed) await serve();
    } catch (error) {
      host.log.warn({ err: error }, 'Agents that are held to hosts may find no names; trying again.');
    }
    if (isClosed) return;
    timer = setTimeout(() => void advance(), everyMs).unref();
  }

  async function serve(): Promise<void> {
    held.look();
    if (host.mode !== 'root') {
      for (const one of held.all()) {
        const port = one.record.names_port;
        if (port !== undefined) one.door ??= await openDnsListener({ resolve, who: () => one, port });
      }
      return;
    }
    door ??= await openDnsListener({ resolve, who: held.at });
    if (performance.now() < nextLeadMs) return;
    await redirectDns(host.tag, door.port);
    nextLeadMs = performance.now() + trustMs;
  }

  function advance(): Promise<void> {
    turning = (turning ?? Promise.resolve()).then(() => (isClosed ? undefined : turn()));
    return turning;
  }

  /** Resolves once the questions of instances are answered here, or another process answers them. */
  function begin(): Promise<void> {
    nextLeadMs = 0; // the end of the last instance may have removed the host's rules
    return advance();
  }

  return {
    begin,
    async close(): Promise<void> {
      isClosed = true;
      await turning;
      clearTimeout(timer);
      door?.close();
      await release?.();
    },
  };
}
