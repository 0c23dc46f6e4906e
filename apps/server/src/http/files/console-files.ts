import { existsSync, globSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { type File, hashOf } from './send-file.ts';

const types: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/vnd.microsoft.icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
};
const forever = 'public, max-age=31536000, immutable';

/**
 * The built files of the console except its page, by path, with the compressed variants from the build. They are read once: a build that replaces
 * them while this server runs does not change what it serves, so its page and its scripts always match.
 */
export function consoleFiles(folder: string): Map<string, File> {
  const names = globSync('**/*', { cwd: folder, withFileTypes: true })
    .filter((each) => each.isFile())
    .map((each) => join(each.parentPath, each.name).slice(folder.length + 1))
    .filter((name) => !/(^|\/)\./.test(name) && name !== 'index.html' && !/\.(br|gz)$/.test(name));
  return new Map(names.map((name) => [`/${name}`, consoleFile(folder, name)]));
}

function consoleFile(folder: string, name: string): File {
  const path = join(folder, name);
  const body = readFileSync(path);
  const beside = (ending: string) => (existsSync(path + ending) ? readFileSync(path + ending) : undefined);
  const forms = { br: beside('.br'), gzip: beside('.gz') };
  return {
    type: types[extname(name)] ?? 'application/octet-stream',
    // Their names contain a hash of their content.
    cache: name.startsWith('assets/') ? forever : 'no-cache',
    body,
    hash: hashOf(body),
    form: async (coding) => forms[coding],
  };
}
