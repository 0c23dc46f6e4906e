import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Platform, reaches } from '../../apps/server/test/platform.ts';
import type { Api } from '../../apps/server/test/server.ts';
import type { Row } from '../row.ts';
import type { Kind } from './kinds.ts';
import { names, peakMb, plantCanary, resetPeak, unfinished } from './watch.ts';

/**
 * R27: memory that the server may take for an archive beyond its memory at rest (which is a row of the bench), and the longest time for an
 * archive. A harmless archive is also run.
 */
const bounds = { grown_mb: 80, refused_s: 5, run_s: 30 };

export interface Target {
  paddock: Platform;
  api: Api;
  project_id: string;
  watch: ReturnType<typeof plantCanary>;
}

/** Uploads the archive as any client would, and checks the outcome. */
export async function tryArchive({ paddock, api, project_id, watch }: Target, { item, kind, make, expected }: Kind): Promise<Row> {
  const zip = make(watch.canary);
  const artifacts = join(paddock.dataDir, 'artifacts');
  const before = new Set(names(artifacts));
  resetPeak(paddock.serverPid());
  const held = peakMb(paddock.serverPid());
  const begun = performance.now();
  const outcome = await deployIt(api, project_id, zip);
  const seconds = (performance.now() - begun) / 1000;
  const peak = peakMb(paddock.serverPid());
  const made = names(artifacts).filter((name) => !before.has(name));
  const problems = [
    ...(expected instanceof RegExp
      ? [...(expected.test(outcome) ? [] : ['another message']), ...(made.length > 0 ? ['an artifact was made'] : [])]
      : [...(outcome === 'completed' ? [] : ['not completed']), ...wrongFiles(join(artifacts, made[0] ?? '?', 'app'), expected, zip)]),
    ...watch.escaped().map((path) => `escaped: ${path}`),
    ...unfinished(paddock.dataDir).map((path) => `left: ${path}`),
    ...(peak - held > bounds.grown_mb ? [`peak ${peak} MB, before ${held} MB`] : []),
    ...(seconds > (expected instanceof RegExp ? bounds.refused_s : bounds.run_s) ? [`${seconds.toFixed(1)} s`] : []),
  ];
  return {
    item: `A${item}`,
    attempt: kind,
    expected: expected instanceof RegExp ? 'refused, entry named' : 'harmless round trip',
    got: [...problems.map((one) => `WRONG ${one};`), outcome].join(' '),
    measured: `${(seconds * 1000).toFixed(0)} ms, peak ${peak} MB`,
    ok: problems.length === 0,
  };
}

/** The final status, with the message of a failure. */
async function deployIt(api: Api, project_id: string, zip: Buffer): Promise<string> {
  let id: string;
  try {
    ({ id } = await api.deployments.create({ project_id, file: new Blob([Uint8Array.from(zip)]), file_name: 'agent.zip' }));
  } catch (error) {
    const { status, message } = error as Error & { status?: number };
    return `${status}: ${message}`;
  }
  const { status, error_message } = await reaches(api, id, ['completed', 'failed']);
  return status === 'completed' ? status : `${status}: ${error_message}`;
}

function wrongFiles(folder: string, files: Record<string, number>, zip: Buffer): string[] {
  return Object.entries(files).flatMap(([name, mode]) => {
    const info = statSync(join(folder, name), { throwIfNoEntry: false });
    if (!info?.isFile()) return [`${name} is missing`];
    // The stored bytes are unchanged, so nothing in them was unpacked.
    const same = !name.endsWith('.zip') || zip.includes(readFileSync(join(folder, name)));
    return [
      ...((info.mode & 0o7777) === mode ? [] : [`${name} has mode ${(info.mode & 0o7777).toString(8)}`]),
      ...(same ? [] : [`${name} changed`]),
    ];
  });
}
