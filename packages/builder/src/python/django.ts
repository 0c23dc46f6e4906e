import { posix } from 'node:path';
import type { SourceTree } from '../detect/source-tree.ts';
import type { PythonStart } from './python-start.ts';

const maxRead = 20;
/** Maximum depth of `manage.py`: `src/`, `backend/src/`. */
const maxDepth = 3;

/** The start of a Django project, found by the `manage.py` nearest to the agent's folder. */
export function django(tree: SourceTree): PythonStart | null {
  const found = tree.files
    .filter((path) => posix.basename(path) === 'manage.py' && path.split('/').length <= maxDepth)
    .sort((a, b) => a.split('/').length - b.split('/').length || (a < b ? -1 : 1))
    .slice(0, maxRead)
    .find((path) => tree.read(path)?.includes('DJANGO_SETTINGS_MODULE'));
  return found === undefined ? null : buildStart(found, tree);
}

function buildStart(manage: string, tree: SourceTree): PythonStart | null {
  const folder = posix.dirname(manage) === '.' ? '' : `${posix.dirname(manage)}/`;
  const settings = /DJANGO_SETTINGS_MODULE['"]\s*,\s*['"]([\w.]+)['"]/.exec(tree.read(manage) ?? '')?.[1];
  const project = settings?.split('.')[0] ?? '';
  const find = (name: string) =>
    [`${folder}${project}/${name}.py`, ...tree.files.filter((f) => f.startsWith(folder) && f.endsWith(`/${name}.py`))].find(
      (f) => tree.has(f) && /^[\w/]+\.py$/.test(f.slice(folder.length)),
    );
  const wsgi = find('wsgi');
  const path = wsgi ?? find('asgi');
  if (path === undefined) return null;
  const target = `${path.slice(folder.length, -3).replaceAll('/', '.')}:application`;
  const server = wsgi === undefined ? 'uvicorn' : 'gunicorn';
  const listening = wsgi === undefined ? ['--host', '0.0.0.0', '--port', '$PORT'] : ['--bind', '0.0.0.0:$PORT'];
  const inFolder = folder === '' ? [] : [wsgi === undefined ? '--app-dir' : '--chdir', folder.slice(0, -1)];
  return {
    framework: 'Django',
    type: 'web',
    because: manage,
    warnings: ['Migrations are not run by themselves; run them in your start command if the agent needs them.'],
    command: [server, target, ...listening, ...inFolder],
    needs: [server],
  };
}
