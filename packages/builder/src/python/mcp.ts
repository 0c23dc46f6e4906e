import { posix } from 'node:path';
import type { SourceTree } from '../detect/source-tree.ts';
import type { EntryFile } from './entry.ts';
import { constructors } from './frameworks.ts';
import type { PythonModule } from './module.ts';

interface Archive {
  files: EntryFile[];
  /** Files that others import or start. */
  used: Set<string>;
  /** Modules that the scripts of pyproject.toml call. */
  scripts: string[];
}

/** The files that make an MCP server, within a function too, if it is run over stdin and stdout; none if it is not, or if other programs use it as a tool. */
export function stdioServers(tree: SourceTree, { files, used, scripts }: Archive): string[] {
  const makers = files.filter(({ module }) => [...module.calls].some(makesServer));
  const isStarted = ({ path }: EntryFile) => !used.has(path) || scripts.some((module) => isModule(path, module));
  const isAgent = makers.some((maker) => isStarted(maker) || files.some((other) => runs(other.module) && imports(other, maker.path)));
  if (!isAgent) return [];
  const running = files.filter(({ module }) => runs(module));
  const paths = makers.map(({ path }) => path);
  if (running.some(({ path }) => bareLast.test((tree.read(path) ?? '').slice(0, MAX_CHARACTERS)))) return paths;
  const said = new Set(running.flatMap(({ module }) => [...module.words].filter((word) => !word.endsWith('.py'))));
  // A server whose caller chooses the transport speaks over stdin and stdout unless it is told otherwise.
  const isStdio =
    running.length > 0 && (said.has('stdio') || (said.size === 0 && !running.some(({ module }) => [...module.calls].some(servesHttp))));
  return isStdio ? paths : [];
}

/** Whether a file is one of `targets` or imports one, through others of the archive too. */
export function reaches(files: EntryFile[], path: string, targets: string[]): boolean {
  const seen = new Set([path]);
  // The loop over a set also visits entries that are added meanwhile.
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

/** Tells the files whose app `langgraph.json` mounts (`http.app`): LangGraph’s own server serves them. */
export function mountedApp(tree: SourceTree): (path: string) => boolean {
  const mounted = /"app"\s{0,20}:\s{0,20}"(?:\.\/)?([\w./-]{1,200}\.py):/.exec(tree.read('langgraph.json') ?? '')?.[1];
  return (path) => path === mounted;
}
