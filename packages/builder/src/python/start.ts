import { posix } from 'node:path';
import { bridged, speaksOnlyStdio } from '../detect/mcp-stdio.ts';
import type { SourceTree } from '../detect/source-tree.ts';
import type { AgentType } from '../plan.ts';
import { type EntryFile, entryPaths, type FoundApp, findApp, importName } from './entry.ts';
import type { providers } from './frameworks.ts';
import type { Pyproject } from './pyproject.ts';

/** The start of a Python agent and its source. */
export interface PythonStart {
  command: string[];
  framework?: string;
  type: AgentType | null;
  because: string;
  env?: Record<string, string>;
  /** Packages that the command needs; added to the install if no dependency brings them. */
  needs: (keyof typeof providers)[];
  warnings?: string[];
}

const identifier = /^[A-Za-z_]\w*(\.[A-Za-z_]\w*)*$/;

export interface PythonProject {
  files: EntryFile[];
  pyproject: Pyproject | null;
  /** Names of the dependencies. */
  names: Set<string>;
}

/** The start by the table of frameworks, else by scripts, else by the entry file; null if none of them is there. */
export function detectStart(tree: SourceTree, { files, pyproject, names }: PythonProject): PythonStart | null {
  return (
    langgraph(tree) ??
    django(tree) ??
    byImport(tree, files, 'streamlit') ??
    byImport(tree, files, 'chainlit') ??
    served(findApp(files), tree) ??
    overHttp(projectScript(tree, pyproject) ?? entryFile(tree, files), tree, names) ??
    adk(tree, names)
  );
}

/** Paddock's bridge serves an MCP server that only speaks over stdin and stdout. */
function overHttp(found: PythonStart | null, tree: SourceTree, names: Set<string>): PythonStart | null {
  if (found === null || !names.has('mcp') || !speaksOnlyStdio(tree)) return found;
  const because = `${found.because}, which speaks MCP over stdin and stdout`;
  return { ...found, command: bridged(found.command), framework: 'MCP', type: 'web', because };
}

const maxAgentsRead = 100;

/** Google's ADK finds agents by their folders: each has an `agent.py` with a `root_agent`. */
function adk(tree: SourceTree, names: Set<string>): PythonStart | null {
  if (!names.has('google-adk')) return null;
  const agents = tree.files.filter((f) => /^(src\/)?[A-Za-z_]\w*\/agent\.py$/.test(f)).slice(0, maxAgentsRead);
  const agent = agents.find((f) => /^root_agent\b.*=/m.test(tree.read(f) ?? ''));
  if (agent === undefined) return null;
  const folder = posix.dirname(posix.dirname(agent));
  return {
    command: ['adk', 'web', '--host', '0.0.0.0', '--port', '$PORT', '--', folder],
    framework: 'Google ADK',
    type: 'web',
    because: agent,
    needs: [],
  };
}

function langgraph(tree: SourceTree): PythonStart | null {
  if (!tree.has('langgraph.json')) return null;
  return {
    command: ['langgraph', 'dev', '--host', '0.0.0.0', '--port', '$PORT', '--no-browser', '--no-reload'],
    framework: 'LangGraph',
    type: 'web',
    because: 'langgraph.json',
    needs: ['langgraph-cli[inmem]'],
  };
}

function django(tree: SourceTree): PythonStart | null {
  if (!tree.read('manage.py')?.includes('DJANGO_SETTINGS_MODULE')) return null;
  const settings = /DJANGO_SETTINGS_MODULE['"]\s*,\s*['"]([\w.]+)['"]/.exec(tree.read('manage.py') ?? '')?.[1];
  const project = settings?.split('.')[0] ?? '';
  const find = (name: string) =>
    [`${project}/${name}.py`, ...tree.files.filter((f) => f.endsWith(`/${name}.py`))].find((f) => tree.has(f) && /^[\w/]+\.py$/.test(f));
  const wsgi = find('wsgi');
  const asgi = find('asgi');
  const path = wsgi ?? asgi;
  if (path === undefined) return null;
  const target = `${path.slice(0, -3).replaceAll('/', '.')}:application`;
  const server = wsgi === undefined ? 'uvicorn' : 'gunicorn';
  const listening = wsgi === undefined ? ['--host', '0.0.0.0', '--port', '$PORT'] : ['--bind', '0.0.0.0:$PORT'];
  return {
    framework: 'Django',
    type: 'web',
    because: 'manage.py',
    warnings: ['Migrations are not run by themselves; run them in your start command if the agent needs them.'],
    command: [server, target, ...listening],
    needs: [server],
  };
}

const importCommands = {
  streamlit: 'streamlit run --server.port $PORT --server.address 0.0.0.0 --server.headless true --browser.gatherUsageStats false'.split(
    ' ',
  ),
  chainlit: ['chainlit', 'run', '--host', '0.0.0.0', '--port', '$PORT', '--headless'],
};

function byImport(tree: SourceTree, files: EntryFile[], name: 'streamlit' | 'chainlit'): PythonStart | null {
  const preferred = ['streamlit_app.py', ...entryPaths(tree)];
  const users = files.filter((f) => f.module.imports.has(name)).map((f) => f.path);
  const path = preferred.find((p) => users.includes(p)) ?? users[0];
  // An entry file of another framework may import it for a helper; then that framework serves.
  if (path === undefined || (findApp(files.filter((f) => f.path === path)) !== null && name === 'streamlit')) return null;
  const command = [...importCommands[name], '--', path];
  return { command, framework: name === 'streamlit' ? 'Streamlit' : 'Chainlit', type: 'web', because: path, needs: [name] };
}

function served(app: FoundApp | null, tree: SourceTree): PythonStart | null {
  if (app === null) return null;
  const { module, folder } = importName(app.file, tree);
  const runsItself =
    app.file.module.hasMain || app.file.module.calls.has(`${app.variable}.run`) || app.file.module.calls.has(`${app.variable}.launch`);
  const common = { framework: app.framework, type: 'web', because: app.file.path } as const;
  if (app.serving === 'gradio') {
    return {
      ...common,
      command: ['python', app.file.path],
      env: { GRADIO_SERVER_NAME: '0.0.0.0', GRADIO_SERVER_PORT: '$PORT', GRADIO_ANALYTICS_ENABLED: 'False' },
      needs: [],
    };
  }
  if (app.serving === 'agentcore' && runsItself) return { ...common, command: ['python', app.file.path], needs: [] };
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
    // One process with threads: many agents keep their conversations in memory.
    return {
      ...common,
      command: ['gunicorn', target, '--bind', '0.0.0.0:$PORT', '--threads', '8', ...(folder === '' ? [] : ['--chdir', folder])],
      needs: ['gunicorn'],
    };
  }
  if (app.serving === 'fastmcp') {
    return {
      ...common,
      command: ['fastmcp', 'run', `${app.file.path}:${app.variable}`, '--transport', 'http', '--host', '0.0.0.0', '--port', '$PORT'],
      needs: ['fastmcp'],
    };
  }
  // The SDK's own run() talks over stdin or binds to loopback for local names only; our launcher serves it over HTTP.
  return {
    ...common,
    command: ['python', '/opt/paddock/launchers/serve_mcp.py', `${module}:${app.variable}`, ...(folder === '' ? [] : [folder])],
    needs: ['uvicorn'],
  };
}

function projectScript(tree: SourceTree, pyproject: Pyproject | null): PythonStart | null {
  if (pyproject?.scripts.size !== 1 || entryPaths(tree).some((p) => !p.includes('/'))) return null;
  const [name, target] = [...pyproject.scripts][0] ?? ['', ''];
  const [module = '', call = ''] = target.split(':').map((p) => p.trim());
  if (!identifier.test(module) || !identifier.test(call)) return null;
  return {
    command: ['python', '-c', `import sys; from ${module} import ${call.split('.')[0]}; sys.exit(${call}())`],
    type: null,
    because: `pyproject.toml (script ${name})`,
    needs: [],
  };
}

function entryFile(tree: SourceTree, files: EntryFile[]): PythonStart | null {
  const named = entryPaths(tree)[0];
  if (named !== undefined) return { command: ['python', named], type: null, because: named, needs: [] };
  const packageMain = tree.files.find((f) => /^(src\/)?[A-Za-z_]\w*\/__main__\.py$/.test(f));
  if (packageMain !== undefined) {
    return { command: ['python', '-m', posix.basename(posix.dirname(packageMain))], type: null, because: packageMain, needs: [] };
  }
  if (tree.has('__main__.py')) return { command: ['python', '__main__.py'], type: null, because: '__main__.py', needs: [] };
  // The person means the only runnable script in the root.
  const scripts = files.filter((f) => !f.path.includes('/') && f.path !== '__init__.py');
  const runnable = scripts.filter((f) => f.module.hasMain);
  const only = onlyOf(scripts) ?? onlyOf(runnable);
  return only === undefined ? null : { command: ['python', only.path], type: null, because: only.path, needs: [] };
}

function onlyOf<T>(list: T[]): T | undefined {
  return list.length === 1 ? list[0] : undefined;
}
