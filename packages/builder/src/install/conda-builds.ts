import { readBelow, writeBelow } from '@paddock/safe-files';
import { nameOfCondaBuild } from '../conda-paths.ts';

const maxBytes = 1024 ** 2;

/** Replaces packages from folders of conda's builders by their names in the given requirement files. Returns the names. */
export async function dropCondaPaths(folder: string, lists: string[]): Promise<string[]> {
  const all: string[] = [];
  for (const list of lists) {
    const text = (await readBelow(folder, list, maxBytes))?.toString('utf8') ?? '';
    if (!text.includes('file:///')) continue;
    const before = all.length;
    const lines = text.split('\n').map((line) => {
      const name = nameOfCondaBuild(line.trim());
      if (name !== undefined) all.push(name);
      return name ?? line;
    });
    if (all.length > before) writeBelow(folder, list, lines.join('\n'));
  }
  return all;
}
