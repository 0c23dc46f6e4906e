import { readFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import ignore, { type Ignore } from 'ignore';
import { isAbsence, isThere } from './presence.ts';

/** Read in this order: `.paddockignore` wins over `.gitignore` in the same folder. */
const ruleFiles = ['.gitignore', '.paddockignore'];
const maxRuleBytes = 1024 * 1024;

/** The rules of one folder, for paths below it. */
interface Level {
  folder: string;
  rules: Ignore;
}
export type Levels = readonly Level[];

/** The rules of a folder added to those of the folders above. */
export async function addFolderRules(folder: string, above: Levels): Promise<Levels> {
  const texts = await Promise.all(ruleFiles.map((name) => readRules(join(folder, name))));
  if (texts.every((text) => text === '')) return above;
  return [...above, { folder, rules: ignore({ ignorecase: false }).add(texts.join('\n')) }];
}

/** The rules that git would apply from above: from the top of the repository down to the named folder. */
export async function rulesAbove(root: string): Promise<Levels> {
  const parents: string[] = [];
  for (let folder = root; ; folder = dirname(folder)) {
    if (folder !== root) parents.unshift(folder);
    if (await isThere(join(folder, '.git'))) break;
    if (dirname(folder) === folder) return []; // not in a repository: nothing above concerns this folder
  }
  let levels: Levels = [];
  for (const folder of parents) levels = await addFolderRules(folder, levels);
  // A person who names a folder that git ignores wants that folder: only its own rules count.
  return isLeftOut(root, true, levels) ? [] : levels;
}

/** Whether the rules leave the path out. The deepest folder with a matching rule decides, as in git. */
export function isLeftOut(path: string, isFolder: boolean, levels: Levels): boolean {
  let leftOut = false;
  for (const { folder, rules } of levels) {
    const name = relative(folder, path).split(sep).join('/');
    if (!ignore.isPathValid(name)) continue;
    const { ignored, unignored } = rules.test(isFolder ? `${name}/` : name);
    if (ignored) leftOut = true;
    else if (unignored) leftOut = false;
  }
  return leftOut;
}

async function readRules(path: string): Promise<string> {
  try {
    const text = await readFile(path, 'utf8');
    return text.slice(0, maxRuleBytes);
  } catch (error) {
    if (isAbsence(error)) return '';
    throw error;
  }
}
