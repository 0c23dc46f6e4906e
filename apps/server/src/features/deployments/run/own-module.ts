import type { Artifact } from '@paddock/builder';
import { readStartBelow, StrangeFile, walkBelow } from '@paddock/safe-files';

/** Larger archives are not searched, because the search blocks the server. */
const MAX_ENTRIES = 5_000;
const MAX_LINE = 2_000;
const MAX_PROJECT_BYTES = 64 * 1024;
const SKIPPED = /^(?:node_modules|\.venv|venv|\.git|site-packages|__pycache__|tests?)$/;
const ABSENT = /^(?:ModuleNotFoundError|[\w.]{1,150}Error: .{0,300}): No module named '([A-Za-z_]\w{0,100})/;

/**
 * Path of the archive's own Python module that a start did not find: `backend/src`, `lib/desk.py`; or of the folder that pyproject.toml installs
 * under that name, or pyproject.toml if the project itself has the name. Undefined if it has none of that name.
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
    return namedByProject(name, readStartBelow(app_dir, 'pyproject.toml', MAX_PROJECT_BYTES)?.toString('utf8') ?? '');
  } catch (error) {
    if (!(error instanceof StrangeFile)) throw error;
  }
  return undefined;
}

/** `"pylib" = "desk_agent"` of [tool.hatch.build.sources], or the project's own name. A package of that name in a registry is a stranger's. */
function namedByProject(module: string, project: string): string | undefined {
  for (const line of project.split('\n')) {
    const [left = '', right] = line.split('=', 2).map((side) => unquoted(side.split('#', 1)[0] ?? ''));
    if (right === undefined || right === '') continue;
    if (left === 'name' && withoutSigns(right) === withoutSigns(module)) return 'pyproject.toml';
    if (left !== 'name' && right === module && /^[\w./-]{1,200}$/.test(left)) return left;
  }
  return undefined;
}

const unquoted = (side: string) => side.trim().replaceAll(/^["']|["']$/g, '');
const withoutSigns = (name: string) => name.toLowerCase().replaceAll(/[-_.]/g, '');

const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);
