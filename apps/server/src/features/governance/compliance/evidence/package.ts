import { Readable } from 'node:stream';
import { Worker } from 'node:worker_threads';
import type { FrameworkId, Residency } from '@paddock/contract';
import { teamPlaces } from '../../../../http/team-places.ts';
import type { Control } from '../control.ts';
import type { EvidenceInput } from './worker.ts';

/** Heap limit of the thread: it holds a framework's stored results twice as text. */
const memoryMb = 256;
const limitMs = 60_000;
const places = { perTeam: 1, atOnce: 4, retry_after_s: 5 };
const detail = `At most ${places.perTeam} evidence package of a team is made at a time, and ${places.atOnce} of all teams. Wait until one has ended.`;

interface PackageDeps {
  databaseUrl: string;
  controls: readonly Pick<Control, 'id'>[];
  version: string;
  retention_days: number;
  /** Locations where a team's data is stored, and to which it is sent. */
  residency: (team_id: string) => Promise<Residency>;
  /** The last completed access reviews, with every decision. */
  accessReviews: (team_id: string) => Promise<readonly unknown[]>;
}

/**
 * Builds a framework's ZIP in a separate thread that reads the results itself, so that large evidence does not block the server. Throws
 * too_many_requests while another one of the team is being built.
 */
export function evidencePackage({ databaseUrl, controls, version, retention_days, residency, accessReviews }: PackageDeps) {
  const { enter } = teamPlaces({ ...places, detail });
  const implemented = controls.map(({ id }) => id);
  return async function make(team_id: string, framework: FrameworkId) {
    const leave = enter(team_id);
    try {
      const [where, reviews] = await Promise.all([residency(team_id), accessReviews(team_id)]);
      const asked = { databaseUrl, implemented, version, retention_days, team_id, framework, residency: where, reviews };
      const zip = await inThread(asked);
      return {
        file_name: `compliance-${framework}-${new Date().toISOString().slice(0, 10)}.zip`,
        content_type: 'application/zip',
        body: Readable.from([zip], { objectMode: false }),
      };
    } finally {
      leave();
    }
  };
}

async function inThread(input: EvidenceInput): Promise<Buffer> {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    execArgv: ['--disable-warning=ExperimentalWarning'],
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
    workerData: input,
  });
  // The thread does not delay a shutdown.
  worker.unref();
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>();
  const timer = setTimeout(() => reject(new Error(`The evidence package took longer than ${limitMs / 1000} s.`)), limitMs);
  worker.on('message', resolve);
  worker.on('error', reject);
  worker.on('exit', () => reject(new Error('The thread that makes an evidence package ended without it.')));
  try {
    return Buffer.from(await promise);
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}
