import { Readable } from 'node:stream';
import type { FrameworkId } from '@paddock/contract';
import { strToU8, zipSync } from 'fflate';
import { type EvidenceParts, gathered } from './gather.ts';
import { reportOf } from './report.ts';

interface PackageParts extends EvidenceParts {
  /** The last completed reviews of who has access, with every decision. */
  accessReviews: (team_id: string) => Promise<readonly unknown[]>;
}

const jsonFile = (content: unknown) => strToU8(`${JSON.stringify(content, null, 2)}\n`);

/** A ZIP with `evidence.json`, `residency.json` and `report.html`, which need nothing else to be read; with the reviews of access where there are any. */
export const evidencePackage = ({ accessReviews, ...given }: PackageParts) =>
  async function make(team_id: string, framework: FrameworkId) {
    const evidence = await gathered(given, team_id, framework);
    const reviews = await accessReviews(team_id);
    const zip = zipSync({
      'evidence.json': jsonFile(evidence),
      'residency.json': jsonFile(await given.residency(team_id)),
      'report.html': strToU8(reportOf(evidence)),
      ...(reviews.length > 0 ? { 'access-reviews.json': jsonFile(reviews) } : {}),
    });
    const day = evidence.made_at.slice(0, 10);
    return {
      file_name: `compliance-${framework}-${day}.zip`,
      content_type: 'application/zip',
      body: Readable.from([Buffer.from(zip)], { objectMode: false }),
    };
  };
