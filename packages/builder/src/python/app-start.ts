import type { SourceTree } from '../detect/source-tree.ts';
import type { FoundApp } from './apps.ts';
import { importName, type NameInPackage } from './import-root.ts';
import type { PythonStart } from './python-start.ts';
import { packageOf, type Standing } from './standing.ts';

const identifier = /^[A-Za-z_]\w*(\.[A-Za-z_]\w*)*$/;

interface Served {
  standing: Standing;
  because: string;
  nameInPackage: NameInPackage;
  /** Files that read command-line arguments when they are imported. */
  readers: ReadonlySet<string>;
}

const shared = (file: string) =>
  `${file} launches its page with share=True: Gradio then offers it at a public address of its own, past the access rules of the project. Remove it.`;

/** The start of an app that a file creates; null if its name can't be given to a server. */
export function appStart(app: FoundApp, tree: SourceTree, { standing, because, nameInPackage, readers }: Served): PythonStart | null {
  const { module, folder } = importName(app.file, tree, nameInPackage);
  const isPart = app.file.path.includes('/') && nameInPackage(app.file) !== null;
  const onPath = isPart && folder !== '' ? { folder } : {};
  const run = isPart ? ['python', '-m', module] : ['python', app.file.path];
  const runsItself =
    app.file.module.hasMain || app.file.module.calls.has(`${app.variable}.run`) || app.file.module.calls.has(`${app.variable}.launch`);
  const adds = standing === 'named' ? {} : { adds: { name: packageOf(app.from), standing } };
  const common = { framework: app.framework, type: 'web', because, ...adds } as const;
  if (app.serving === 'gradio') {
    const isShared = /\bshare {0,3}= {0,3}True\b/.test(tree.read(app.file.path) ?? '');
    return {
      ...common,
      ...(isShared ? { warnings: [shared(app.file.path)] } : {}),
      ...onPath,
      command: run,
      env: { GRADIO_SERVER_NAME: '0.0.0.0', GRADIO_SERVER_PORT: '$PORT', GRADIO_ANALYTICS_ENABLED: 'False' },
      needs: [],
    };
  }
  if (app.serving === 'agentcore' && runsItself) return { ...common, ...onPath, command: run, needs: [] };
  // The file would read the server's options as its own.
  if (app.serving === 'asgi' && readers.has(app.file.path) && app.file.module.hasMain && app.file.module.calls.has('uvicorn.run'))
    return { ...common, ...onPath, command: run, needs: ['uvicorn'] };
  if (!identifier.test(module) || !identifier.test(app.variable)) return null;
  const uvicorn = (target: string, ...more: string[]) => [
    'uvicorn',
    target,
    '--host',
    '0.0.0.0',
    '--port',
    '$PORT',
    ...(folder === '' ? [] : ['--app-dir', folder]),
    ...more,
  ];
  if (app.serving === 'asgi' || app.serving === 'agentcore') {
    return { ...common, command: uvicorn(`${module}:${app.variable}`, ...(app.factory ? ['--factory'] : [])), needs: ['uvicorn'] };
  }
  if (app.serving === 'wsgi' || app.serving === 'dash') {
    const target = `${module}:${app.variable}${app.factory ? '()' : ''}${app.serving === 'dash' ? '.server' : ''}`;
    // A single process with threads, because many agents keep their conversations in memory.
    return {
      ...common,
      command: ['gunicorn', target, '--bind', '0.0.0.0:$PORT', '--threads', '8', ...(folder === '' ? [] : ['--chdir', folder])],
      needs: ['gunicorn'],
    };
  }
  if (app.serving === 'fastmcp' && isPart)
    return { ...common, ...onPath, command: fastmcpModule(module, app.variable), needs: ['fastmcp'] };
  if (app.serving === 'fastmcp') {
    return {
      ...common,
      command: [
        'fastmcp',
        'run',
        `${app.file.path}:${app.variable}`,
        '--transport',
        'streamable-http',
        '--host',
        '0.0.0.0',
        '--port',
        '$PORT',
      ],
      needs: ['fastmcp'],
    };
  }
  // The SDK's own run() uses stdin or binds to loopback for local names only. Our launcher serves the app over HTTP.
  return {
    ...common,
    command: ['python', '/opt/paddock/launchers/serve_mcp.py', `${module}:${app.variable}`, ...(folder === '' ? [] : [folder])],
    needs: ['uvicorn'],
  };
}

/** `fastmcp run` loads a file, in which relative imports fail. Loaded as a module, the file is part of its package. */
function fastmcpModule(module: string, variable: string): string[] {
  const serve = `${variable}.run(transport='streamable-http', host='0.0.0.0', port=int(os.environ['PORT']))`;
  return ['python', '-c', `import os; from ${module} import ${variable}; ${serve}`];
}
