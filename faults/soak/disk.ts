import { existsSync } from 'node:fs';
import { lutimes, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { runProgram } from '../../scripts/program.ts';

const folders = ['artifacts', 'layers', 'blobs', 'runtime', 'cache'] as const;

/** Megabytes and entries of each folder of the data directory. */
export async function diskFigures(dataDir: string) {
  const figures: Record<string, { mb: number; entries: number }> = {};
  for (const name of folders) {
    const folder = join(dataDir, name);
    const entries = existsSync(folder) ? (await Promise.all(placesIn(name).map((one) => listed(join(dataDir, one))))).flat().length : 0;
    figures[name] = { mb: existsSync(folder) ? await megabytes(folder) : 0, entries };
  }
  return figures;
}

/** The folders with the entries to count: runtime has two kinds, agents and build steps. */
const placesIn = (name: string) => (name === 'runtime' ? ['runtime/instances', 'runtime/steps'] : [name]);
/** The entries of a folder, without the file that names the store of archives. */
const listed = async (folder: string) => (existsSync(folder) ? (await readdir(folder)).filter((entry) => entry !== '.store') : []);

async function megabytes(folder: string): Promise<number> {
  // Files vanish while du runs; it then reports them, counts the rest and exits with 1.
  const { output } = await runProgram('du', ['-sk', '--', folder], { captured: true, signal: AbortSignal.timeout(60_000) });
  const kb = /^(\d+)\t/m.exec(output)?.[1];
  if (kb === undefined) throw new Error(`du could not measure ${folder}: ${output}`);
  return Math.round(Number(kb) / 1024);
}

/** Makes everything in the folders that are swept by age look a month old. */
export async function ageFiles(dataDir: string) {
  const then = new Date(Date.now() - 30 * 86_400_000);
  for (const name of ['artifacts', 'layers', 'blobs'])
    for (const entry of await listed(join(dataDir, name))) await lutimes(join(dataDir, name, entry), then, then);
}
