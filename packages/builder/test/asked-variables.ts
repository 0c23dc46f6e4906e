import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after } from 'node:test';
import { requiredVariables } from '../src/detect/required-variables.ts';
import { openTree } from '../src/detect/source-tree.ts';

const home = mkdtempSync(join(tmpdir(), 'paddock-asked-'));
after(() => rmSync(home, { recursive: true, force: true }));
let count = 0;

/** The variables that an archive with these files is asked for. */
export async function asked(
  files: Record<string, string>,
  {
    language = 'python',
    packages = [],
    other_scripts = [],
  }: { language?: 'python' | 'node'; packages?: string[]; other_scripts?: string[] } = {},
) {
  const dir = join(home, String(count++));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), text);
  }
  return requiredVariables(await openTree(dir), { language, packages, other_scripts });
}
/** The names of those that are required. */
export const required = async (...given: Parameters<typeof asked>) =>
  (await asked(...given)).filter((each) => each.required).map(({ name }) => name);
