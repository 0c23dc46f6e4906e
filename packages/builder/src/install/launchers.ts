import { createHash } from 'node:crypto';
import { chmod, cp, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Mount } from '../step.ts';

/** Paddock's own start helpers, copied so that every user can read them. */
export async function launchers(kept: (name: string, fill: (draft: string) => Promise<unknown>) => Promise<string>): Promise<Mount> {
  const source = fileURLToPath(new URL('../launchers/', import.meta.url));
  const names = (await readdir(source, { recursive: true, withFileTypes: true }))
    .filter((e) => e.isFile())
    .map((e) => join(e.parentPath, e.name))
    .sort();
  const hash = createHash('sha256');
  for (const name of names) hash.update(name.slice(source.length)).update(await readFile(name));
  const home = await kept(`launchers-${hash.digest('hex').slice(0, 16)}`, async (draft) => {
    await cp(source, draft, { recursive: true });
    for (const name of names) await chmod(join(draft, name.slice(source.length)), /\/(bin|git-hooks)\//.test(name) ? 0o755 : 0o644);
  });
  return { from: home, at: '/opt/paddock/launchers' };
}
