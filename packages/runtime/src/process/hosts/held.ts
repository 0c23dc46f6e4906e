import { existsSync } from 'node:fs';
import { type HostRule, hostRulesDigest } from '../../hosts.ts';
import type { Host } from '../host/host.ts';
import { type Folder, listIds, readJson, type SandboxRecord, sandboxFolder } from '../records/records.ts';
import type { Door } from './doors.ts';
import { openAddresses } from './filter.ts';
import { openedAddresses } from './opened.ts';
import type { Refusals } from './refusals.ts';
import type { Asking } from './resolve.ts';

/** An instance that is held to rules about hosts. */
export interface Held extends Asking {
  folder: Folder;
  record: SandboxRecord;
  digest: string;
  /** When the kernel was last seen to hold the instance to these rules, by `performance.now()`; 0: never. */
  seenMs: number;
  /** Where the instance asks, if no other one asks there. */
  door?: Door;
}

/** Somebody who is not known may have been started by another process just now. */
const lookAgainMs = 200;

/** The instances below `parent` that have rules, as their folders say. */
export function heldInstances(host: Host, parent: string, refusals: Refusals) {
  const held = new Map<string, Held>();
  let lookedMs = Number.NEGATIVE_INFINITY;

  function know(folder: Folder, record: SandboxRecord, rules: readonly HostRule[]): Held {
    const { id, deployment_id, owner = deployment_id } = record;
    const digest = hostRulesDigest(rules);
    const before = held.get(id);
    if (before?.digest === digest) return before;
    refusals.forget(id);
    const one = before ?? {
      folder,
      record,
      owner,
      rules,
      digest,
      seenMs: 0,
      inFlight: 0,
      opened: openedAddresses((addresses) => openAddresses(folder, record, addresses)),
      refused: (name) => refusals.tell({ instance_id: id, deployment_id, host: name }),
    };
    held.set(id, Object.assign(one, { rules, digest, seenMs: 0 }));
    return one;
  }

  function drop(id: string): void {
    held.get(id)?.door?.close();
    held.delete(id);
  }

  /** Reads which instances have rules, and which. */
  function look(): void {
    lookedMs = performance.now();
    const present = new Set(listIds(parent));
    for (const [id, { folder }] of held) if (!present.has(id) || !hasRules(folder)) drop(id);
    for (const id of present) {
      const folder = held.get(id)?.folder ?? sandboxFolder(parent, id);
      const rules = hasRules(folder) ? readJson<HostRule[]>(folder.hosts, host.troubles) : undefined;
      const record = rules && (held.get(id)?.record ?? readJson<SandboxRecord>(folder.record, host.troubles));
      if (rules && record) know(folder, record, rules);
    }
  }

  return {
    know,
    drop,
    look,
    all: () => held.values(),
    dropAll: () => [...held.keys()].forEach(drop),
    areThere: () => listIds(parent).some((id) => hasRules(sandboxFolder(parent, id))),

    at(address: string): Held | undefined {
      const found = () => [...held.values()].find(({ record }) => record.network?.address === address);
      const known = found();
      if (known || performance.now() - lookedMs < lookAgainMs) return known;
      look();
      return found();
    },
  };
}

const hasRules = (folder: Folder) => existsSync(folder.hosts) && !existsSync(folder.exit);
