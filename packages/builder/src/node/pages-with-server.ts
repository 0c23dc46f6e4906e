import { posix } from 'node:path';
import type { SourceTree } from '../detect/source-tree.ts';
import type { PackageJson } from './package-json.ts';
import type { SourceStart } from './source-start.ts';
import type { NodeStart } from './start.ts';

const configs = ['ts', 'mts', 'js', 'mjs', 'cjs'].map((ending) => `vite.config.${ending}`);
/** Scripts for the server alone, beside one for the pages. */
const serverScript = /^(?:(?:dev|start|serve|run)[:-])?(?:server|api|backend)(?:[:-](?:dev|start|prod|watch))?$/;
const prefix = /['"`](\/[\w./-]{1,60})['"`]\s{0,5}:/g;
const target = /^\s{0,20}(?:\{[^{}]{0,200}target\s{0,3}:\s{0,3})?['"`]https?:\/\/(?:localhost|127\.0\.0\.1|0\.0\.0\.0):(\d{2,5})\b/;
const maxEntry = 400;
const agentPort = '8080';

interface Passed {
  path: string;
  port: string;
  /** The server gets the path without this beginning. */
  isCut: boolean;
}

/** The paths that Vite's development server passes to another server of the same machine. */
function passedPaths(config: string): Passed[] {
  const at = config.indexOf('proxy');
  if (at === -1) return [];
  const part = config.slice(at);
  const found = [...part.matchAll(prefix)];
  return found.flatMap(({ 0: text, 1: path = '', index }, i) => {
    const from = index + text.length;
    const entry = part.slice(from, Math.min(found[i + 1]?.index ?? part.length, from + maxEntry));
    const port = target.exec(entry)?.[1];
    return port === undefined ? [] : [{ path, port, isCut: /\brewrite\b/.test(entry) && entry.includes('replace') }];
  });
}

/**
 * The start of pages that Vite builds and the server beside them in the same package, which the author runs by two scripts: the pages'
 * requests go to the server as `server.proxy` of Vite's configuration says. Null for other packages. `find`: the command for the file that
 * a script runs.
 */
export function pagesWithServer(
  tree: SourceTree,
  { scripts }: PackageJson,
  find: (name: string) => SourceStart | undefined,
): NodeStart | null {
  const name = Object.keys(scripts).find((each) => serverScript.test(each) && find(each) !== undefined);
  const server = name === undefined ? undefined : find(name);
  const config = configs.find(tree.has);
  if (server === undefined || config === undefined) return null;
  const source = tree.read(config) ?? '';
  const [first, ...others] = passedPaths(source);
  // The port of the agent's address is the pages'; a server may have written its own down.
  if (first === undefined || first.port === agentPort || others.some(({ port }) => port !== first.port)) return null;
  const paths = [first, ...others].map(({ path, isCut }) => `${isCut ? '=' : ''}${path}`);
  const outDir = /\boutDir\s{0,3}:\s{0,3}['"`]([\w./-]{1,60})['"`]/.exec(source)?.[1] ?? 'dist';
  const folder = posix.join('.', outDir);
  return {
    command: ['node', '/opt/paddock/launchers/pages-and-server.mjs', folder, first.port, ...paths, '--', ...server.command],
    because: `${server.because} beside the built pages, as ${config} says`,
    type: 'web',
  };
}
