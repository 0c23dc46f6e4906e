import type { Artifact } from '@paddock/builder';
import { StrangeFile, walkBelow } from '@paddock/safe-files';

/** Larger archives are not searched, because the search blocks the server. */
const MAX_ENTRIES = 5_000;
const MAX_LINE = 2_000;
const SKIPPED = /^(?:node_modules|\.venv|venv|\.git|site-packages|__pycache__|tests?)$/;
const ABSENT = /^(?:ModuleNotFoundError|[\w.]{1,150}Error: .{0,300}): No module named '([A-Za-z_]\w{0,100})/;

/**
 * Path of the archive's own Python module that a start did not find: `backend/src`, `lib/desk.py`. Undefined if it has none of that name.
 */
export function ownModule(tail: string[], { app_dir }: Pick<Artifact, 'app_dir'>): string | undefined {
  const module = tail.findLast((line) => ABSENT.test(line.slice(0, MAX_LINE)));
  const name = module && ABSENT.exec(module.slice(0, MAX_LINE))?.[1];
  if (!name) return undefined;
  try {
    for (const { path, kind } of walkBelow(app_dir, MAX_ENTRIES, (entry) => !SKIPPED.test(nameOf(entry.path)))) {
      if (kind !== 'file' || !path.endsWith('.py')) continue;
      const parts = path.split('/');
      const at = parts.indexOf(name);
      if (at !== -1) return parts.slice(0, at + 1).join('/');
      if (parts.at(-1) === `${name}.py`) return path;
    }
  } catch (error) {
    if (!(error instanceof StrangeFile)) throw error;
  }
  return undefined;
}

const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);
