import { posix } from 'node:path';
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

const relativeImport = /(?:\bfrom|\bimport|\brequire\()\s{0,20}\(?\s{0,20}["'](\.{1,2}\/[^"'\n]{1,200})["']/g;
const endings = ['', '.ts', '.tsx', '.mts', '.js', '.mjs', '.cjs', '/index.ts', '/index.js'];

/** Names that tsconfig.json or package.json lead somewhere. */
const alias = /(?:\bfrom|\bimport|\brequire\()\s{0,20}\(?\s{0,20}["'](?:@\/|~\/|#|src\/)/;

/** The program and the files of the archive that it imports, by their relative names; null if it also imports some by names of its own. */
function importedFrom(entry: string, tree: SourceTree): string[] | null {
  const found = [entry];
  for (const path of found) {
    const text = tree.read(path) ?? '';
    if (alias.test(text)) return null;
    for (const [, name = ''] of text.matchAll(relativeImport)) {
      const at = posix.join(posix.dirname(path), name);
      const names = [at, at.replace(/\.([cm]?)js$/, '.$1ts'), at.replace(/\.jsx?$/, '')];
      const file = names.flatMap((each) => endings.map((ending) => each + ending)).find(tree.has);
      if (file !== undefined && found.length < maxFiles && !found.includes(file)) found.push(file); // an array that grows is walked to its end
    }
  }
  return found;
}

const stdio = /StdioServerTransport|\bserveStdio\b|mcp\.server\.stdio|\bstdio_server\b/;
/** In the program itself; `createServer` may make its MCP server there. */
const listens = /StreamableHTTP|SSEServerTransport|SseServerTransport|streamable_http|\.listen\(|@hono\/node-server|uvicorn|argv/;
const http = /StreamableHTTP|SSEServerTransport|SseServerTransport|streamable_http|\.listen\(|createServer\(|@hono\/node-server|uvicorn/;

/** The command behind Paddock's bridge, which serves the agent over HTTP at /mcp. */
export function bridged(command: string[]): string[] {
  return ['node', '/opt/paddock/launchers/serve_mcp_stdio.mjs', '--', ...command];
}
