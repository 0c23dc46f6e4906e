import { posix } from 'node:path';
import type { SourceTree } from '../detect/source-tree.ts';
import type { Spoken, SpokenCommands } from '../detect/spoken.ts';
import type { PythonStart } from './python-start.ts';

/** A server's command line in a document, and the file of its app. */
export interface SpokenServer {
  path: string;
  start: PythonStart;
}

const target = /^[A-Za-z_]\w{0,100}(?:\.[A-Za-z_]\w{0,100}){0,20}:[A-Za-z_]\w{0,100}$/;
const maxServers = 4;

/** The apps of the archive that documents start with a server (`uvicorn shop.desk:app`), however they are created. */
export function spokenServers(tree: SourceTree, { commands }: SpokenCommands): SpokenServer[] {
  const found = commands.flatMap((spoken) => parseServerCommand(spoken, tree) ?? []);
  return found.filter(({ path }, at) => found.findIndex((other) => other.path === path) === at).slice(0, maxServers);
}

function parseServerCommand({ words, file }: Spoken, tree: SourceTree): SpokenServer | null {
  const [program = '', ...rest] = words[0]?.startsWith('python') && words[1] === '-m' ? words.slice(2) : words;
  if (!['uvicorn', 'hypercorn', 'gunicorn'].includes(program)) return null;
  const app = rest.find((word) => target.test(word));
  const module = app?.split(':', 1)[0]?.replaceAll('.', '/') ?? '';
  if (app === undefined) return null;
  const given = rest[rest.indexOf('--app-dir') + 1] ?? '';
  const folders = [...(rest.includes('--app-dir') ? [posix.normalize(given)] : []), '.', 'src'];
  for (const folder of folders) {
    const path = [`${module}.py`, `${module}/__init__.py`].map((name) => posix.join(folder, name)).find(tree.has);
    if (path === undefined) continue;
    const isWsgi = program === 'gunicorn' && !rest.some((word) => word.includes('UvicornWorker'));
    return { path, start: { ...(isWsgi ? wsgi(app, folder) : asgi(app, folder, rest)), type: 'web', because: `${path}, as ${file} says` } };
  }
  return null;
}

function asgi(app: string, folder: string, rest: string[]): Pick<PythonStart, 'command' | 'needs'> {
  const where = [...(folder === '.' ? [] : ['--app-dir', folder]), ...(rest.includes('--factory') ? ['--factory'] : [])];
  return { command: ['uvicorn', app, '--host', '0.0.0.0', '--port', '$PORT', ...where], needs: ['uvicorn'] };
}

function wsgi(app: string, folder: string): Pick<PythonStart, 'command' | 'needs'> {
  const where = folder === '.' ? [] : ['--chdir', folder];
  return { command: ['gunicorn', app, '--bind', '0.0.0.0:$PORT', '--threads', '8', ...where], needs: ['gunicorn'] };
}
