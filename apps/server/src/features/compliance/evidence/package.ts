import { Readable } from 'node:stream';
import type { FrameworkId } from '@paddock/contract';
import { strToU8, zipSync } from 'fflate';
import { type EvidenceParts, gathered } from './gather.ts';
import { reportOf } from './report.ts';

/** A ZIP with `evidence.json`, `residency.json` and `report.html`, which need nothing else to be read. */
export const evidencePackage = (given: EvidenceParts) =>
  async function make(team_id: string, framework: FrameworkId) {
    const evidence = await gathered(given, team_id, framework);
    const zip = zipSync({
      'evidence.json': strToU8(`${JSON.stringify(evidence, null, 2)}\n`),
      'residency.json': strToU8(`${JSON.stringify(await given.residency(team_id), null, 2)}\n`),
      'report.html': strToU8(reportOf(evidence)),
    });
    const day = evidence.made_at.slice(0, 10);
    return {
      file_name: `compliance-${framework}-${day}.zip`,
      content_type: 'application/zip',
      body: Readable.from([Buffer.from(zip)], { objectMode: false }),
    };
  };
