import { posix } from 'node:path';
import type { SourceTree } from '../detect/source-tree.ts';
import type { EntryFile } from './entry.ts';
import { constructors } from './frameworks.ts';
import type { PythonModule } from './module.ts';

interface Archive {
  files: EntryFile[];
  /** Files that other files import or start. */
  used: Set<string>;
  /** Modules that the scripts of pyproject.toml call. */
  scripts: string[];
}

/**
 * The files that create an MCP server, also within a function, if the server runs over stdin and stdout. Empty if it does not, or if other
 * programs use it as a tool.
 */
export function stdioServers(tree: SourceTree, { files, used, scripts }: Archive): string[] {
  const makers = files.filter(({ module }) => [...module.calls].some(makesServer));
  const isStarted = ({ path }: EntryFile) => !used.has(path) || scripts.some((module) => isModule(path, module));
  const isAgent = makers.some((maker) => isStarted(maker) || files.some((other) => runs(other.module) && imports(other, maker.path)));
  if (!isAgent) return [];
  const running = files.filter(({ module }) => runs(module));
  const paths = makers.map(({ path }) => path);
  if (running.some(({ path }) => bareLast.test((tree.read(path) ?? '').slice(0, MAX_CHARACTERS)))) return paths;
  const said = new Set(running.flatMap(({ module }) => [...module.words].filter((word) => !word.endsWith('.py'))));
  // A server whose caller chooses the transport uses stdin and stdout by default.
  const isStdio =
    running.length > 0 && (said.has('stdio') || (said.size === 0 && !running.some(({ module }) => [...module.calls].some(servesHttp))));
  return isStdio ? paths : [];
}

/** Whether a file is one of `targets` or imports one, directly or through other files of the archive. */
export function reaches(files: EntryFile[], path: string, targets: string[]): boolean {
  const seen = new Set([path]);
  // A loop over a set also visits entries that are added during the loop.
  for (const each of seen) {
    if (targets.includes(each)) return true;
    const file = files.find((one) => one.path === each);
    if (file !== undefined) for (const other of files) if (imports(file, other.path)) seen.add(other.path);
  }
  return false;
}

const MAX_CHARACTERS = 200_000;
/** `else: mcp.run()`, after the branches of options that choose another transport. */
const bareLast = /\belse:[ \t]{0,20}\n[ \t]{1,80}[A-Za-z_]\w{0,80}\.run\([ \t]{0,20}\)/;

const isModule = (path: string, module: string) => path.replace(/^src\//, '') === `${module.replaceAll('.', '/')}.py`;

const makesServer = (call: string) => {
  const serving = Object.hasOwn(constructors, call) ? constructors[call]?.serving : undefined;
  return serving === 'fastmcp' || serving === 'mcp';
};
const runs = (module: PythonModule) =>
  [...module.calls].some((call) => /(?:^|\.)run(?:_stdio)?(?:_async)?$/.test(call) && !call.startsWith('subprocess.'));
const servesHttp = (call: string) => /(?:http_app|sse_app|run_http_async|run_sse_async|uvicorn\.run)$/.test(call);

const imports = ({ module }: EntryFile, path: string) => {
  const stem = posix.basename(path, '.py');
  return [...module.paths].some((name) => name.split('.').includes(stem));
};

/** Returns a check for the file whose app `langgraph.json` mounts (`http.app`): LangGraph’s own server serves that file. */
export function mountedApp(tree: SourceTree): (path: string) => boolean {
  const mounted = /"app"\s{0,20}:\s{0,20}"(?:\.\/)?([\w./-]{1,200}\.py):/.exec(tree.read('langgraph.json') ?? '')?.[1];
  return (path) => path === mounted;
}
