import { importedFrom } from './imported-files.ts';
import type { SourceTree } from './source-tree.ts';

const maxFiles = 150;
const maxCharacters = 8 * 1024 ** 2;
const aside = /(^|\/)(tests?|__tests__|docs?|examples?)\/|\.(test|spec|d)\.[cm]?[jt]s$/;

/**
 * Whether the agent speaks MCP over stdin and stdout only, so that callers need Paddock's bridge. `entry` is the source of the program that is started,
 * where it is known: it decides by itself, since an archive may hold a second program that listens.
 */
export function speaksOnlyStdio(tree: SourceTree, entry?: string): boolean {
  const started = entry === undefined ? '' : (tree.read(entry) ?? '');
  if (stdio.test(started)) return !listens.test(started);
  const isSource = (f: string) => /\.([cm]?[jt]s|py)$/.test(f) && !aside.test(f);
  const imported = entry === undefined || !tree.has(entry) ? null : importedFrom(entry, tree);
  const files = imported ?? tree.files.filter(isSource).slice(0, maxFiles);
  let left = maxCharacters;
  let isStdio = false;
  for (const file of files) {
    const text = tree.read(file) ?? '';
    left -= text.length;
    if (left < 0) break;
    if (http.test(text)) return false;
    isStdio ||= stdio.test(text);
  }
  return isStdio;
}

const stdio = /StdioServerTransport|\bserveStdio\b|mcp\.server\.stdio|\bstdio_server\b/;
/** In the program itself; `createServer` may make its MCP server there. */
const listens = /StreamableHTTP|SSEServerTransport|SseServerTransport|streamable_http|\.listen\(|@hono\/node-server|uvicorn|argv/;
const http = /StreamableHTTP|SSEServerTransport|SseServerTransport|streamable_http|\.listen\(|createServer\(|@hono\/node-server|uvicorn/;

/** The command behind Paddock's bridge, which serves the agent over HTTP at /mcp. */
export function bridged(command: string[]): string[] {
  return ['node', '/opt/paddock/launchers/serve_mcp_stdio.mjs', '--', ...command];
}
