import { existsSync, lstatSync } from 'node:fs';
import { type HostIndex, hostIndex } from '../../host-index.ts';
import { type HostRule, hostRulesDigest } from '../../hosts.ts';
import type { Host } from '../host/host.ts';
import { type Folder, listIds, readJson, type SandboxRecord, sandboxFolder } from '../records/records.ts';
import { allowedAddresses } from './allowed-addresses.ts';
import type { DnsListener } from './dns-listener.ts';
import { openAddresses } from './filter.ts';
import { questionBudgets } from './questions.ts';
import type { Refusals } from './refused-hosts.ts';
import type { DnsClient } from './resolve.ts';

/** An instance with host rules. */
export interface RestrictedInstance extends DnsClient {
  folder: Folder;
  record: SandboxRecord;
  digest: string;
  /** When the kernel was last seen to enforce these rules, by `performance.now()`; 0 if never. */
  seenMs: number;
  /** The socket for the instance's questions, if no other instance uses it. */
  door?: DnsListener;
  /** Changes when the file of rules has changed since it was read. */
  stamp?: string;
}

/** An unknown sandbox may just have been started by another process, so the folders are read again. */
const lookAgainMs = 200;

/** The instances below `parent` that have rules, according to their folders. */
export function restrictedInstances(host: Host, parent: string, createRefusedHosts: Refusals) {
  const held = new Map<string, RestrictedInstance>();
  const byAddress = new Map<string, RestrictedInstance>();
  const budgets = questionBudgets();
  /** By digest, since agents of a team share their rules. */
  const indexes = new Map<string, HostIndex>();
  let lookedMs = Number.NEGATIVE_INFINITY;

  function know(folder: Folder, record: SandboxRecord, rules: readonly HostRule[]): RestrictedInstance {
    const { id, deployment_id, owner = deployment_id } = record;
    const digest = hostRulesDigest(rules);
    const before = held.get(id);
    if (before?.digest === digest) return before;
    createRefusedHosts.forget(id);
    const index = indexes.get(digest) ?? hostIndex(rules);
    indexes.set(digest, index);
    const one = before ?? {
      folder,
      record,
      owner,
      rules,
      index,
      digest,
      seenMs: 0,
      inFlight: 0,
      budget: budgets.of(owner),
      opened: allowedAddresses((addresses) => openAddresses(folder, record, addresses)),
      refused: (name) => createRefusedHosts.tell({ instance_id: id, deployment_id, host: name }),
    };
    held.set(id, Object.assign(one, { rules, index, digest, seenMs: 0 }));
    if (record.network) byAddress.set(record.network.address, one);
    return one;
  }

  function drop(id: string): void {
    const one = held.get(id);
    one?.door?.close();
    held.delete(id);
    const address = one?.record.network?.address;
    if (address !== undefined && byAddress.get(address) === one) byAddress.delete(address);
  }

  /** Reads which instances have rules, and the rules. */
  function look(): void {
    lookedMs = performance.now();
    const present = new Set(listIds(parent));
    for (const [id, { folder }] of held) if (!present.has(id) || !hasRules(folder)) drop(id);
    for (const id of present) read(id);
    const all = [...held.values()];
    budgets.keepOnly(new Set(all.map(({ budget }) => budget)));
    const digests = new Set(all.map(({ digest }) => digest));
    for (const digest of indexes.keys()) if (!digests.has(digest)) indexes.delete(digest);
  }

  /** Reads the rules of an instance unless they are unchanged: there may be many, and this runs every second. */
  function read(id: string): void {
    const known = held.get(id);
    const folder = known?.folder ?? sandboxFolder(parent, id);
    const stamp = hasRules(folder) ? readStamp(folder) : undefined;
    if (stamp === undefined || stamp === known?.stamp) return;
    const rules = readJson<HostRule[]>(folder.hosts, host.troubles);
    const record = rules && (known?.record ?? readJson<SandboxRecord>(folder.record, host.troubles));
    if (rules && record) know(folder, record, rules).stamp = stamp;
  }

  return {
    know,
    drop,
    look,
    /** True if the file contains these rules, according to the last read. */
    isWritten: ({ id }: SandboxRecord, folder: Folder, digest: string): boolean => {
      const known = held.get(id);
      return known?.digest === digest && known.stamp !== undefined && known.stamp === readStamp(folder);
    },
    all: () => held.values(),
    dropAll: () => [...held.keys()].forEach(drop),
    areThere: () => listIds(parent).some((id) => hasRules(sandboxFolder(parent, id))),

    at(address: string): RestrictedInstance | undefined {
      const known = byAddress.get(address);
      if (known || performance.now() - lookedMs < lookAgainMs) return known;
      look();
      return byAddress.get(address);
    },
  };
}

const hasRules = (folder: Folder) => existsSync(folder.hosts) && !existsSync(folder.exit);

/** Identifies the version of a file. Files are replaced, never overwritten. */
function readStamp({ hosts }: Folder): string | undefined {
  const stat = lstatSync(hosts, { bigint: true, throwIfNoEntry: false });
  return stat && `${stat.ino} ${stat.size} ${stat.mtimeNs}`;
}
