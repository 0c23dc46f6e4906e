import { cpSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { ROOT } from '../../scripts/program.ts';

const left = new Set(['.git', '.paddock', 'node_modules', 'test-results', 'playwright-report']);

/**
 * Copies the repository, so that it can be broken without harm. The copy shares the installed packages with the original. Only our own
 * packages link into the copy, or it would run the original's code.
 */
export function copyRepository(to: string) {
  cpSync(ROOT, to, { recursive: true, filter: (from) => !left.has(basename(from)) });
  const [installed, own] = [join(ROOT, 'node_modules'), join(to, 'node_modules')];
  mkdirSync(join(own, '@paddock'), { recursive: true });
  for (const name of readdirSync(installed)) if (name !== '@paddock') symlinkSync(join(installed, name), join(own, name));
  for (const [name, folder] of workspaces(to)) symlinkSync(folder, join(own, '@paddock', name));
}

function workspaces(root: string): [name: string, folder: string][] {
  return ['packages', 'apps'].flatMap((group) =>
    readdirSync(join(root, group)).map((name): [string, string] => [name, join(root, group, name)]),
  );
}
