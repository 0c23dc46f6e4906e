import '../../../../../process/patient-thread.ts';
import { parentPort, workerData } from 'node:worker_threads';
import { readEntries } from './database.ts';
import { type AdvisoryMatch, matchAdvisories, type Package, packageKey } from './match.ts';

export interface Scanned {
  hits: AdvisoryMatch[];
  entries: number;
  /** When the newest entry was changed. */
  modified: string | null;
}
export interface ScanInput {
  source: string;
  packages: Package[];
}

const maxHits = 100_000;
const { source, packages } = workerData as ScanInput;
const byKey = Map.groupBy(packages, packageKey);
const scanned: Scanned = { hits: [], entries: 0, modified: null };
for await (const entry of readEntries(source)) {
  const { id, modified } = (entry ?? {}) as { id?: unknown; modified?: unknown };
  if (typeof id !== 'string') continue;
  scanned.entries += 1;
  if (typeof modified === 'string' && modified > (scanned.modified ?? '')) scanned.modified = modified.slice(0, 40);
  if (scanned.hits.length < maxHits) scanned.hits.push(...matchAdvisories(entry, byKey));
}
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker's port has no origins
parentPort?.postMessage(scanned);
