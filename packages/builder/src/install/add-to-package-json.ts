import { readTextBelow, writeBelow } from '@paddock/safe-files';

/** Read into memory at once. No package.json written by hand has a tenth of this size. */
const MAX_BYTES = 1024 ** 2;

interface PackageJson {
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
}

/**
 * Adds packages, such as `next-themes` or `zod@^4`, to the dependencies of the package.json in `folder`. A package without a version keeps
 * an existing version.
 */
export async function addToPackageJson(folder: string, added: string[]): Promise<void> {
  const source = (await readTextBelow(folder, 'package.json', MAX_BYTES)) ?? '{}';
  const root = JSON.parse(source) as PackageJson;
  const dependencies: Record<string, string> = { ...root.dependencies };
  for (const one of added) {
    const name = /^(?:@[\w.~-]+\/)?[\w.-]+/.exec(one)?.[0] ?? one;
    // Python's form of extras and versions is accepted, too: `desk[bell]==1.2`.
    const version = one
      .slice(name.length)
      .replace(/^\[[^\]]*\]/, '')
      .replace(/^(?:@|={1,3})/, '');
    dependencies[name] = version || dependencies[name] || root.devDependencies?.[name] || '*';
  }
  writeBelow(folder, 'package.json', `${JSON.stringify({ ...root, dependencies }, null, 2)}\n`);
}
