import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { ROOT } from '../program.ts';

/** A file of the repository, by its path from the root, with its imports. */
export type Source = { path: string; text: string; imports: string[] };

const FOLDERS = '{apps,packages,e2e,bench,scripts}';
const ENDINGS = '{ts,tsx,mjs,css,sql,sh}';
const NOT_OURS = /(^|\/)(node_modules|dist|fixtures|test-results|playwright-report)(\/|$)/;
const GENERATED = /\.gen\.ts$/;

/** Every hand-written source file. */
export function readSources(): Source[] {
  const files = globSync(`${FOLDERS}/**/*.${ENDINGS}`, { cwd: ROOT, exclude: (path) => NOT_OURS.test(path) });
  return files
    .filter((path) => !GENERATED.test(path))
    .sort()
    .map((path) => {
      const text = readFileSync(join(ROOT, path), 'utf8');
      return { path, text, imports: /\.(tsx?|mjs)$/.test(path) ? readImports(text) : [] };
    });
}

/** The modules that a file names in its imports and re-exports, static and dynamic. */
export function readImports(text: string): string[] {
  const statement = /^\s*(?:import|export)\b[^'"`;]*?\bfrom\s*['"]([^'"]+)['"]|^\s*import\s*['"]([^'"]+)['"]/gm;
  const dynamic = /\bimport\(\s*['"]([^'"]+)['"]/g;
  return [...text.matchAll(statement), ...text.matchAll(dynamic)].flatMap((match) => match[1] ?? match[2] ?? []);
}

/** The path of a relative import's target from the root; other imports are returned unchanged. */
export function resolveImport(source: Source, name: string): string {
  return name.startsWith('.') ? relative(ROOT, join(ROOT, dirname(source.path), name)) : name;
}

export const isTest = ({ path }: Source) => /\.(test|spec|suite)\.tsx?$|(^|\/)test\//.test(path);

/** Features are folders; a large one has features in it, as on the screen. In the console only what other features show is on its own. */
const FEATURE_OF = {
  server: /^apps\/server\/src\/features\/((?:governance|billing|alerts)\/[^/]+|[^/]+)\//,
  console: /^apps\/console\/src\/features\/(alerts\/[^/]+|billing\/plan-limits|[^/]+)\//,
};

/** `governance/policies` for a file of that feature; undefined outside the features. */
export const featureOf = (path: string): string | undefined => FEATURE_OF.server.exec(path)?.[1] ?? FEATURE_OF.console.exec(path)?.[1];

/** `apps/server/src/x.ts` → `apps/server`; `scripts/x.ts` → `scripts`. */
export const workspaceOf = (path: string) => /^(apps|packages)\/[^/]+/.exec(path)?.[0] ?? path.split('/')[0] ?? '';
