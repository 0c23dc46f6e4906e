import { test } from 'node:test';
import { startPlatform } from '../../apps/server/test/platform.ts';
import { type Row, table } from '../row.ts';
import { furtherCases } from './further-cases.ts';
import { type Kind, kinds } from './kinds.ts';
import { tryNames } from './names.ts';
import { type Target, tryArchive } from './try-archive.ts';
import { tryUploads } from './uploads.ts';
import { plantCanary } from './watch.ts';

/** Runs every attempt of list A on a whole platform. The long form adds the large archives, the stalled upload and further cases of each kind. */
export async function attackArchives(long: boolean, seed: number): Promise<Row[]> {
  const paddock = await startPlatform(undefined);
  // Memory is measured on a server that runs compiled code, as every server but the first after an installation does.
  await paddock.stop();
  await paddock.boot();
  const { api, token } = await paddock.person();
  const { id: project_id } = await api.projects.create({ name: 'archives' });
  const watch = plantCanary(paddock.dataDir);
  try {
    const target: Target = { paddock, api, project_id, watch };
    const rows: Row[] = [];
    // This run is not judged: the first archive after a start waits until the Pythons of the machine are known.
    await tryArchive(target, kinds[0]!);
    for (const kind of kinds.filter((one) => long || isShort(one))) rows.push(await tryArchive(target, kind));
    rows.push(...(await tryUploads(target, token, { long, seed })));
    rows.push(...(await tryNames(target, token, { long })));
    return rows;
  } finally {
    watch.remove();
  }
}

const isShort = ({ kind, long }: Kind) => !long && !furtherCases.includes(kind);

if (import.meta.main) {
  const seed = Number(process.argv[2] ?? Date.now() % 1_000_000);
  test('hostile archives, uploads and names', async () => {
    const begun = performance.now();
    const rows = await attackArchives(process.argv[3] !== 'short', seed);
    console.log(table(`Hostile archives, uploads and names (seed ${seed}, ${((performance.now() - begun) / 1000).toFixed(0)} s)`, rows));
  });
}
