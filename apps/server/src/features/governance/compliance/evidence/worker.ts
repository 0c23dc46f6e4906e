import '../../../../process/patient-thread.ts';
import { parentPort, workerData } from 'node:worker_threads';
import type { ControlId, FrameworkId, Residency } from '@paddock/contract';
import { strToU8, zipSync } from 'fflate';
import { connect } from '../../../../db/connect.ts';
import { createOverview } from '../overview.ts';
import { resultStore } from '../result-store.ts';
import { waiverStore } from '../waiver-store.ts';
import { gatherEvidence } from './gather-evidence.ts';
import { renderReport } from './report.ts';

/** Input of the thread. */
export interface EvidenceInput {
  databaseUrl: string;
  /** The implemented controls. */
  implemented: readonly ControlId[];
  version: string;
  retention_days: number;
  team_id: string;
  framework: FrameworkId;
  residency: Residency;
  reviews: readonly unknown[];
}

const jsonFile = (content: unknown) => strToU8(`${JSON.stringify(content, null, 2)}\n`);

/** A ZIP with the self-contained files `evidence.json`, `residency.json` and `report.html`, plus the access reviews if there are any. */
async function make(input: EvidenceInput): Promise<Uint8Array> {
  const sql = connect(input.databaseUrl, { max: 1, name: 'paddock-evidence' });
  const results = resultStore(sql);
  const waivers = waiverStore(sql);
  const controls = input.implemented.map((id) => ({ id }));
  const overview = createOverview({ controls, results, waivers, retention_days: input.retention_days });
  try {
    const deps = { overview, results, waivers, version: input.version, sql };
    const evidence = await gatherEvidence(deps, input.team_id, input.framework);
    return zipSync({
      'evidence.json': jsonFile(evidence),
      'residency.json': jsonFile(input.residency),
      'report.html': strToU8(renderReport(evidence)),
      ...(input.reviews.length > 0 ? { 'access-reviews.json': jsonFile(input.reviews) } : {}),
    });
  } finally {
    await sql.end({ timeout: 1 });
  }
}

const zip = await make(workerData as EvidenceInput);
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker's port has no origins
parentPort?.postMessage(zip);
