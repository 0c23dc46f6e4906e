import { wordsOf } from './commands.ts';
import type { DockerHints } from './docker/read.ts';
import { importedFrom } from './imported-files.ts';
import type { SourceTree } from './source-tree.ts';
import type { GivenStart } from './starts.ts';

const maxFiles = 150;
const maxCharacters = 8 * 1024 ** 2;
const aside = /(^|\/)(tests?|__tests__|docs?|examples?)\/|\.(test|spec|d)\.[cm]?[jt]s$/;

/**
 * Whether the agent speaks MCP only over stdin and stdout, so that callers need Paddock's bridge. `entry` is the source file of the started
 * program, if known. It decides alone, since an archive may hold a second program that listens.
 */
export function speaksOnlyStdio(tree: SourceTree, entry?: string): boolean {
  const started = entry === undefined ? '' : (tree.read(entry) ?? '');
  if (stdio.test(started)) return !listens.test(started);
  const imported = entry === undefined || !tree.has(entry) ? null : importedFrom(entry, tree);
  const { isStdio, isHttp, isDefault } = signsIn(tree, imported ?? ownFiles(tree));
  return isStdio && (!isHttp || isDefault || declaresStdio(tree));
}

/** Whether the files by which directories of MCP servers start it say that it speaks over stdin and stdout. */
function declaresStdio(tree: SourceTree): boolean {
  // Not parsed as YAML: the descriptions in these files often are none.
  const lines = (tree.read('smithery.yaml') ?? '').split('\n');
  const at = lines.findIndex((line) => line.startsWith('startCommand:'));
  if (at !== -1 && lines.slice(at + 1, at + 1 + maxLinesToType).some((line) => /^[ \t]{1,8}type:[ \t]{0,8}["']?stdio\b/.test(line)))
    return true;
  const packages = readPackages(tree.read('server.json') ?? '');
  return packages.length > 0 && packages.every((one) => one?.transport?.type === 'stdio');
}

const maxLinesToType = 4;

function readPackages(source: string): { transport?: { type?: unknown } }[] {
  try {
    const { packages } = (JSON.parse(source) ?? {}) as { packages?: unknown };
    return Array.isArray(packages) ? packages : [];
  } catch {
    return []; // no JSON says nothing
  }
}

/** Whether a command itself chooses HTTP: `server sse`, `server --transport streamable-http`, `TRANSPORT=http server`. */
export const choosesHttp = (command: string[]): boolean =>
  wordsOf(command).some((word) => /^(?:[\w-]{1,40}=)?(?:--)?(?:sse|https?|streamable[-_]?http)$/i.test(word));

const mcpPackages = ['mcp', 'fastmcp', '@modelcontextprotocol/sdk', '@modelcontextprotocol/server'];

/**
 * Whether the start of a Dockerfile runs a server whose transport variable defaults to stdin and stdout, and neither the command nor an ENV
 * chooses another transport.
 */
export function speaksStdioByImage(
  { command }: GivenStart,
  docker: DockerHints | null,
  { packages, tree }: { packages: Iterable<string>; tree: SourceTree },
): boolean {
  if (![...packages].some((name) => mcpPackages.includes(name))) return false;
  const said = [...wordsOf(command), ...(docker?.last.env.keys() ?? [])];
  if (said.some((word) => /http|sse|transport|--port/i.test(word))) return false;
  const { isStdio, isDefault } = signsIn(tree, ownFiles(tree));
  return isStdio && (isDefault || declaresStdio(tree));
}

const isSource = (file: string) => /\.([cm]?[jt]s|py)$/.test(file) && !aside.test(file);
const ownFiles = (tree: SourceTree) => tree.files.filter(isSource).slice(0, maxFiles);

function signsIn(tree: SourceTree, files: string[]): { isStdio: boolean; isHttp: boolean; isDefault: boolean } {
  const signs = { isStdio: false, isHttp: false, isDefault: false };
  let left = maxCharacters;
  for (const file of files) {
    const text = tree.read(file) ?? '';
    left -= text.length;
    if (left < 0) break;
    signs.isStdio ||= stdio.test(text);
    signs.isHttp ||= http.test(text);
    signs.isDefault ||= defaultIsStdio.test(text) || modeIsStdio.test(text);
  }
  return signs;
}

/** `TRANSPORT: str = "stdio"`, `getenv("MCP_TRANSPORT", "stdio")`, `process.env.MCP_TRANSPORT ?? 'stdio'`. */
const defaultIsStdio = /TRANSPORT(?:_(?:MODE|TYPE))?["']?\]?[ \t]{0,3}(?::[ \t]{0,3}str[ \t]{0,3}=|[,=]|\?\?|\|\|)[ \t]{0,3}["']stdio["']/;

/** `let mode: 'stdio' | 'http' = 'stdio'`, `transport = "stdio"` */
const modeIsStdio = /\b\w{0,20}(?:[Mm]ode|[Tt]ransport)(?:[ \t]{0,3}:[\w"'| \t]{1,60}?)?[ \t]{0,3}=[ \t]{0,3}["']stdio["']/;

const stdio = /StdioServerTransport|\bserveStdio\b|mcp\.server\.stdio|\bstdio_server\b|\btransportType:[ \t]{0,4}["']stdio["']/;
/** Signs that the started program listens. `createServer` is not one of them: the program may make its MCP server with it. */
const listens =
  /StreamableHTTP|\btransportType:[ \t]{0,4}["'](?:httpStream|sse)["']|SSEServerTransport|SseServerTransport|streamable_http|\.listen\(|@hono\/node-server|uvicorn|argv/;
const http =
  /StreamableHTTP|\btransportType:[ \t]{0,4}["'](?:httpStream|sse)["']|SSEServerTransport|SseServerTransport|streamable_http|\.listen\(|createServer\(|@hono\/node-server|uvicorn/;

/** The command behind Paddock's bridge, which serves the agent over HTTP at /mcp. */
export function bridged(command: string[]): string[] {
  return ['node', '/opt/paddock/launchers/serve_mcp_stdio.mjs', '--', ...command];
}
