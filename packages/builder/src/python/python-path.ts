import { posix } from 'node:path';
import type { SourceTree } from '../detect/source-tree.ts';
import type { EntryFile } from './entry.ts';
import { standardLibrary } from './standard-library.ts';

interface Started {
  files: EntryFile[];
  command: string[];
  /** Folders above the agent's that its files import from. */
  above: string[];
  /** A folder that the start command needs. */
  folder?: string;
}

/**
 * The folders, relative to the agent's own, in which a start has to find modules besides Python's default folders. The project is not
 * installed, so the folder of a `src/` layout is one. The root is one if the script is in a folder, because Python then searches only the
 * script's folder.
 */
export function pythonPath(tree: SourceTree, { files, command, above, folder }: Started): Record<string, string> {
  const isSrcLayout = tree.files.some((f) => /^src\/[^/]+\/[^/]+\.py$/.test(f)) && !tree.has('src/__init__.py');
  const folders = new Set([
    ...(folder === undefined ? [] : [folder]),
    ...(isSrcLayout ? ['src'] : []),
    ...(importsFromTop(tree, files, command) ? ['.'] : []),
    ...above,
  ]);
  return folders.size === 0 ? {} : { PYTHONPATH: [...folders].join(':') };
}

/** Whether a file imports a module that is at the archive's root and not beside the script. */
function importsFromTop(tree: SourceTree, files: EntryFile[], command: string[]): boolean {
  // `fastmcp run` also names a variable of the file.
  const words = command.map((word) => word.replace(/\.py:\w{1,100}$/, '.py'));
  const script = words.findLast((word) => word.endsWith('.py') && !word.startsWith('/'));
  const folder = posix.dirname(posix.normalize(script ?? ''));
  if (script === undefined || folder === '.') return false;
  const stands = (at: string, name: string) => tree.has(`${at}${name}.py`) || tree.hasFolder(`${at}${name}`);
  return files.some(({ module }) =>
    [...module.imports].some((name) => /^\w+$/.test(name) && !standardLibrary.has(name) && stands('', name) && !stands(`${folder}/`, name)),
  );
}
