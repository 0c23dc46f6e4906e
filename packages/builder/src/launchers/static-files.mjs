// Serves the files of one folder. Unknown paths without an extension get index.html, as single-page apps need it. Neither dot files nor
// anything outside of the folder is served.
import { createReadStream } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { extname, join, resolve, sep } from 'node:path';
import { pipeline } from 'node:stream';

const types = {
  html: 'text/html; charset=utf-8',
  htm: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  mjs: 'text/javascript; charset=utf-8',
  json: 'application/json',
  map: 'application/json',
  webmanifest: 'application/manifest+json',
  xml: 'application/xml',
  txt: 'text/plain; charset=utf-8',
  md: 'text/markdown; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
  ico: 'image/x-icon',
  woff: 'font/woff',
  woff2: 'font/woff2',
  ttf: 'font/ttf',
  otf: 'font/otf',
  wasm: 'application/wasm',
  pdf: 'application/pdf',
  mp3: 'audio/mpeg',
  mp4: 'video/mp4',
  webm: 'video/webm',
};

/**
 * The handler of requests for the files of a folder.
 * @param {string} folder
 * @returns {Promise<(request: import('node:http').IncomingMessage, response: import('node:http').ServerResponse) => Promise<void>>}
 */
export async function serveFolder(folder) {
  const root = await realpath(resolve(folder));
  return (request, response) => serve(root, request, response);
}

async function serve(root, request, response) {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    answer(response, { status: 405, text: 'Method not allowed', headers: { allow: 'GET, HEAD' } });
    return;
  }
  try {
    const file = await find(root, request.url ?? '/');
    if (file === null) {
      answer(response, { status: 404, text: 'Not found' });
      return;
    }
    response.writeHead(200, {
      'content-type': types[extname(file.path).slice(1).toLowerCase()] ?? 'application/octet-stream',
      'content-length': file.size,
      'x-content-type-options': 'nosniff',
    });
    if (request.method === 'HEAD') response.end();
    else pipeline(createReadStream(file.path), response, () => undefined);
  } catch (error) {
    console.error(error);
    answer(response, { status: 500, text: 'The page could not be read' });
  }
}

/** Sends a short text. */
export function answer(response, { status, text, headers = {} }) {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', ...headers });
  response.end(`${text}\n`);
}

async function find(root, url) {
  const path = decoded(url.split('?')[0].split('#')[0]);
  if (path === null) return null;
  const exact =
    (await regular(root, path)) ??
    (await regular(root, join(path, 'index.html'))) ??
    (await regular(root, `${path.replace(/\/$/, '')}.html`));
  // A path without an extension is a route of the page's own.
  return exact ?? (extname(path) === '' ? regular(root, 'index.html') : null);
}

function decoded(path) {
  let text;
  try {
    text = decodeURIComponent(path);
  } catch {
    return null; // a stray percent sign names no file
  }
  if (/[\0\\]/.test(text) || text.split('/').some((part) => part.startsWith('.'))) return null;
  return text.replace(/^\/+/, '') || 'index.html';
}

async function regular(root, path) {
  try {
    const real = await realpath(join(root, path));
    if (real !== root && !real.startsWith(root + sep)) return null;
    const found = await stat(real);
    return found.isFile() ? { path: real, size: found.size } : null;
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'EACCES', 'ELOOP'].includes(error.code)) return null;
    throw error;
  }
}
