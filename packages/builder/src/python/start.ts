import { posix } from 'node:path';
import { readDockerfile } from '../detect/docker/read.ts';
import { bridged, choosesHttp, speaksOnlyStdio } from '../detect/mcp-stdio.ts';
import type { SourceTree } from '../detect/source-tree.ts';
import { findNamed, formatReason, type SpokenCommands, spokenCommands } from '../detect/spoken.ts';
import { appStart } from './app-start.ts';
import { type FoundApp, findApps } from './apps.ts';
import { commandLineReaders } from './command-line.ts';
import { findCompanions } from './companions.ts';
import { django } from './django.ts';
import { type EntryFile, entryPaths } from './entry.ts';
import { packageNames } from './import-root.ts';
import { usedByOthers } from './imported.ts';
import { mountedApp, reaches, stdioServers } from './mcp.ts';
import { projectScript } from './project-script.ts';
import type { Pyproject } from './pyproject.ts';
import type { PythonStart } from './python-start.ts';
import { buildRunCommand, rankedScripts, type Script } from './scripts.ts';
import { spokenServers } from './spoken-servers.ts';
import type { Standing } from './standing.ts';

export interface PythonProject {
  files: EntryFile[];
  pyproject: Pyproject | null;
  /** Names of the dependencies. */
  names: Set<string>;
  /** The standing of a framework's module among the dependencies. */
  standing: (module: string) => Standing;
}

const web = new Set(['asgi', 'wsgi', 'agentcore']);
/** Folders with programs that only try out the agent. */
const aside = /^(?:demos?|demo[_-][\w-]{1,60}|examples?|samples?|tests?|playground)\//;

/**
 * The ways to start the agent, likeliest first: by the table of frameworks, then scripts and entry files. A framework that the dependencies
 * do not name comes last, unless the likeliest script itself uses it.
 */
export function detectStarts(tree: SourceTree, { files, pyproject, names, standing }: PythonProject): PythonStart[] {
  const spoken = spokenCommands(tree, pyproject?.scripts);
  const nameInPackage = packageNames(tree, files);
  const used = usedByOthers(files);
  const isTool = ({ serving, file }: FoundApp) =>
    aside.test(file.path) || ((serving === 'mcp' || serving === 'fastmcp') && used.has(file.path));
  const apps = findApps(files)
    .map((app, at) => ({ app, at: at - (findNamed(spoken, app.file.path) === undefined ? 0 : files.length) }))
    .sort((a, b) => a.at - b.at)
    .map(({ app }) => app);
  const readers = commandLineReaders(files);
  const start = (app: FoundApp) =>
    appStart(app, tree, { standing: standing(app.from), because: formatReason(spoken, app.file.path), nameInPackage, readers });
  const { likely: scripts, alike } = rankedScripts(tree, { files, spoken, used, nameInPackage });
  const main = scripts[0]?.path;
  const spokenApps = spokenServers(tree, spoken);
  // A server's command line in a document is the author's own word.
  const companions = findCompanions(
    files,
    apps.filter(({ file, serving }) => web.has(serving) && !spokenApps.some(({ path }) => path === file.path)),
  );
  const isNamed = (app: FoundApp) =>
    (standing(app.from) === 'named' || app.file.path === main) && !isTool(app) && !companions.has(app.file.path);
  const named = apps.filter(isNamed);
  const graph = langgraph(tree);
  const isMounted = mountedApp(tree);
  const own = graph === null ? [] : named.filter((app) => web.has(app.serving) && !isMounted(app.file.path));
  const pages = (['streamlit', 'chainlit'] as const).flatMap((name) => byImport(tree, { files, spoken, used, standing, main }, name));
  const served = new Set([
    ...apps.map((app) => app.file.path).filter((path) => !companions.has(path)),
    ...pages.map((page) => page.command.at(-1)),
  ]);
  const stdio = stdioServers(tree, {
    files,
    used,
    scripts: [...(pyproject?.scripts.values() ?? [])].map((call) => call.split(':', 1)[0] ?? ''),
  });
  const bridge = stdio.length > 0;
  const servers = spokenApps.filter(({ path }) => !served.has(path));
  const isNamedApp = named[0] !== undefined && findNamed(spoken, named[0].file.path) !== undefined;
  const asStart = ({ path, command, folder, because }: Script) =>
    overHttp({ command, because, type: null, needs: [], ...(folder === undefined ? {} : { folder }) }, tree, {
      names,
      bridge: bridge && reaches(files, path, stdio),
    });
  const beside = [...companions].flatMap(([app, paths]) =>
    paths
      .filter((path) => !served.has(path))
      .map((path) => ({
        path,
        ...buildRunCommand(path, tree, { files, spoken, nameInPackage }),
        because: path === app ? `${path}, which runs its app beside its own work` : `${path}, which runs ${app} beside its own work`,
      })),
  );
  const image = readDockerfile(tree)?.start?.command.join(' ') ?? '';
  const isSaidPage =
    pages.some((page) => findNamed(spoken, page.command.at(-1) ?? '') !== undefined) || /\b(?:streamlit|chainlit)\b/.test(image);
  const saidApp = named.filter((app, at) => at === 0 && isNamedApp && !isSaidPage && web.has(app.serving));
  const all: (PythonStart | null)[] = [
    ...own.map((app) => before(start(app))),
    graph,
    django(tree),
    apps.length === 0 ? adkPackage(tree, names) : null,
    ...saidApp.map(start),
    ...pages.filter((page) => page.adds === undefined),
    ...(isNamedApp ? [] : servers.map((server) => server.start)),
    ...scripts.filter(({ path }) => beside.some((script) => script.path === path)).map(asStart),
    ...beside.map(asStart),
    ...named.map(start),
    ...servers.map((server) => server.start),
    scriptOverHttp(projectScript(tree, pyproject, spoken), tree, { names, bridge }),
    ...scripts.filter(({ path }) => !served.has(path) && !servers.some((server) => server.path === path)).map(asStart),
    adk(tree, names),
    ...pages,
    ...apps.filter((app) => !isNamed(app)).map(start),
  ];
  // The start of an image is better evidence than the order of a README.
  if (!all.some((one) => one !== null) && !readDockerfile(tree)?.start) all.push(...alike.map(asStart));
  const lines = new Map<string, PythonStart>();
  for (const one of all) if (one !== null && !lines.has(one.command.join(' '))) lines.set(one.command.join(' '), one);
  return [...lines.values()];
}

/** The archive's own app shows better how the agent is meant to be reached than the list of its graphs. */
const before = (start: PythonStart | null) => start && { ...start, because: `${start.because}, before langgraph.json` };

/** Uses Paddock's bridge for an MCP server that only supports stdin and stdout. */
function overHttp(
  found: PythonStart | null,
  tree: SourceTree,
  { names, bridge }: { names: Set<string>; bridge: boolean },
): PythonStart | null {
  if (found === null || !['mcp', 'fastmcp'].some((name) => names.has(name)) || !(bridge || speaksOnlyStdio(tree))) return found;
  const because = `${found.because}, which speaks MCP over stdin and stdout`;
  return { ...found, command: bridged(found.command), framework: 'MCP', type: 'web', because };
}

/** The arguments of a project's script may choose the transport of an MCP server. */
function scriptOverHttp(found: PythonStart | null, tree: SourceTree, given: { names: Set<string>; bridge: boolean }): PythonStart | null {
  if (found === null || found.command.includes('$PORT')) return found;
  if (choosesHttp(found.command))
    return given.names.has('mcp') || given.names.has('fastmcp') ? { ...found, framework: 'MCP', type: 'web' } : found;
  return overHttp(found, tree, { ...given, bridge: given.bridge || found.command.includes('stdio') });
}

const maxAgentsRead = 100;

/** Google's ADK finds agents by their folders. Each folder has an `agent.py` with a `root_agent`. */
function adk(tree: SourceTree, names: Set<string>): PythonStart | null {
  if (!names.has('google-adk')) return null;
  const agents = tree.files.filter((f) => /^([A-Za-z_]\w*\/)?[A-Za-z_]\w*\/agent\.py$/.test(f)).slice(0, maxAgentsRead);
  const agent = agents.find((f) => /^root_agent\b.*=/m.test(tree.read(f) ?? ''));
  if (agent === undefined) return null;
  return adkStart(posix.dirname(posix.dirname(agent)), agent);
}

/** The agent's folder is the package itself: its `agent.py` imports from its own folder, so it is no script. */
function adkPackage(tree: SourceTree, names: Set<string>): PythonStart | null {
  const source = names.has('google-adk') ? (tree.read('agent.py') ?? '') : '';
  return /^root_agent\b.*=/m.test(source) && /^from \.\w* import /m.test(source) ? adkStart('..', 'agent.py') : null;
}

const adkStart = (folder: string, because: string): PythonStart => ({
  command: ['adk', 'web', '--host', '0.0.0.0', '--port', '$PORT', '--', folder],
  framework: 'Google ADK',
  type: 'web',
  because,
  needs: [],
});

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

const importCommands = {
  streamlit:
    'streamlit run --server.port $PORT --server.address 0.0.0.0 --server.headless true --browser.gatherUsageStats false --server.fileWatcherType none'.split(
      ' ',
    ),
  chainlit: ['chainlit', 'run', '--host', '0.0.0.0', '--port', '$PORT', '--headless'],
};

interface Importing extends Pick<PythonProject, 'files' | 'standing'> {
  spoken: SpokenCommands;
  used: Set<string>;
  /** The likeliest script. */
  main: string | undefined;
}

/** Whether a file mounts pages of Chainlit that the archive has. */
function mountsPages(tree: SourceTree, { path, module }: EntryFile): boolean {
  if (!module.calls.has('chainlit.utils.mount_chainlit')) return false;
  const targets = [...(tree.read(path) ?? '').matchAll(/\btarget\s{0,9}=\s{0,9}["']([^"'\n]{1,200})["']/g)].map(
    ([, target = '']) => target,
  );
  return (
    targets.length === 0 || targets.some((target) => tree.has(posix.join(posix.dirname(path), target)) || tree.has(posix.normalize(target)))
  );
}

const maxPages = 3;

function byImport(tree: SourceTree, { files, spoken, used, standing, main }: Importing, name: 'streamlit' | 'chainlit'): PythonStart[] {
  // A document may run a file that imports the library by way of another one.
  const run = spoken.commands.flatMap(({ words }) => (words.includes(name) ? words.map((word) => word.replace(/^\.\//, '')) : []));
  const users = files.filter((f) => f.module.imports.has(name) || run.includes(f.path)).map((f) => f.path);
  const said = users.filter((path) => findNamed(spoken, path) !== undefined);
  // If a FastAPI app mounts the pages, that app serves them, unless a document says to run a page by itself.
  const isRunAlone = said.some((path) => findNamed(spoken, path)?.words.includes('chainlit'));
  if (name === 'chainlit' && !isRunAlone && files.some((file) => mountsPages(tree, file))) return [];
  const preferred = [...said, 'streamlit_app.py', ...entryPaths(tree)].filter((path) => users.includes(path));
  const likely = [...new Set([...preferred, ...users])];
  const alone = likely.filter((path) => !used.has(path));
  const paths = alone.length > 0 ? alone : likely;
  // An entry file of another framework may import Streamlit for a helper; the other framework then serves.
  if (findApps(files.filter((f) => f.path === paths[0])).length > 0 && name === 'streamlit') return [];
  const framework = name === 'streamlit' ? 'Streamlit' : 'Chainlit';
  const stands = standing(name);
  // Streamlit itself serves the files of `pages`.
  const own = paths.filter((path, at) => at === 0 || !/(?:^|\/)pages\//.test(path)).slice(0, maxPages);
  const secrets = name === 'streamlit' ? [...new Set(files.flatMap(({ module }) => [...module.secrets]))].sort() : [];
  const giving = secrets.length === 0 ? [] : ['python', '/opt/paddock/launchers/streamlit_secrets.py', secrets.join(','), '--'];
  return own.map((path) => ({
    command: [...giving, ...importCommands[name], '--', path],
    framework,
    type: 'web',
    because: formatReason(spoken, path),
    needs: [name],
    ...(stands === 'named' || path === main ? {} : { adds: { name, standing: stands } }),
  }));
}
