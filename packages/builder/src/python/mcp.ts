import { posix } from 'node:path';
import type { SourceTree } from '../detect/source-tree.ts';
import type { EntryFile } from './entry.ts';
import { constructors } from './frameworks.ts';
import type { PythonModule } from './module.ts';

/** Whether a file that nothing else uses makes an MCP server, within a function too, and runs it over stdin and stdout. */
export function overStdio(files: EntryFile[], used: Set<string>): boolean {
  const makers = files.filter(({ module }) => [...module.calls].some(makesServer));
  const isAgent = makers.some(({ path }) => !used.has(path) || files.some((other) => runs(other.module) && imports(other, path)));
  if (!isAgent) return false;
  const running = files.filter(({ module }) => runs(module));
  const said = new Set(running.flatMap(({ module }) => [...module.words].filter((word) => !word.endsWith('.py'))));
  // A server whose caller chooses the transport speaks over stdin and stdout unless it is told otherwise.
  return (
    running.length > 0 && (said.has('stdio') || (said.size === 0 && !running.some(({ module }) => [...module.calls].some(servesHttp))))
  );
}

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
