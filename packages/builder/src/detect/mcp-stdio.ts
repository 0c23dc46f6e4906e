import type { SourceTree } from './source-tree.ts';

const maxFiles = 150;
const aside = /(^|\/)(tests?|__tests__|docs?|examples?)\/|\.(test|spec|d)\.[cm]?[jt]s$/;

/** Whether the source speaks MCP over stdin and stdout and over nothing else, so that it needs our bridge to be reached. */
export function speaksOnlyStdio(tree: SourceTree): boolean {
  const files = tree.files.filter((f) => /\.([cm]?[jt]s|py)$/.test(f) && !aside.test(f)).slice(0, maxFiles);
  const text = files.map((f) => tree.read(f) ?? '').join('\n');
  return (
    /StdioServerTransport|\bserveStdio\b|mcp\.server\.stdio|\bstdio_server\b/.test(text) &&
    !/StreamableHTTP|SSEServerTransport|SseServerTransport|streamable_http|\.listen\(|createServer\(|@hono\/node-server|uvicorn/.test(text)
  );
}

/** The same command behind our bridge, which serves it over HTTP at /mcp. */
export function bridged(command: string[]): string[] {
  return ['node', '/opt/paddock/launchers/serve_mcp_stdio.mjs', '--', ...command];
}
