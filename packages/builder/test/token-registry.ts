import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

/** A package of a registry: its package.json and other files. */
export type Package = Record<string, string>;

/** An npm registry on the loopback that serves nothing without the token. */
export async function tokenRegistry(token: string, packages: Record<string, Package>): Promise<{ address: string; close: () => void }> {
  const tarballs = new Map(Object.entries(packages).map(([name, files]) => [name, gzipSync(tarOf(files))]));
  const server = createServer((request, response) => {
    const isKnown = request.headers.authorization === `Bearer ${token}`;
    const name = decodeURIComponent((request.url ?? '').split('?')[0] ?? '').replace(/^\/|\/-\/.*$/g, '');
    const tarball = tarballs.get(name);
    if (!isKnown || tarball === undefined) {
      response.writeHead(isKnown ? 404 : 401).end('{}');
      return;
    }
    if (request.url?.includes('/-/')) {
      response.end(tarball);
      return;
    }
    const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
    const shasum = createHash('sha1').update(tarball).digest('hex');
    const dist = { tarball: `${addressOf(server)}${name}/-/${name.split('/').at(-1)}-1.0.0.tgz`, integrity, shasum };
    const manifest = JSON.parse(packages[name]?.['package.json'] ?? '{}') as { scripts?: Record<string, string> };
    const version = { ...manifest, hasInstallScript: manifest.scripts?.postinstall !== undefined, dist };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ name, 'dist-tags': { latest: '1.0.0' }, versions: { '1.0.0': version }, time: {} }));
  });
  await listening(server);
  return { address: addressOf(server), close: () => close(server) };
}

/** The server of an attacker who wants the token: it records everything it receives, also as a proxy. */
export async function listener(): Promise<{ address: string; heard: () => string; close: () => void }> {
  const heard: string[] = [];
  const note = (request: IncomingMessage) => heard.push(`${request.method} ${request.url} ${JSON.stringify(request.headers)}`);
  const server = createServer((request, response) => {
    note(request);
    request.on('data', (piece: Buffer) => heard.push(piece.toString()));
    response.writeHead(404).end('{}');
  });
  server.on('connect', (request, socket) => {
    note(request);
    socket.end('HTTP/1.1 502 No\r\n\r\n');
  });
  await listening(server);
  return { address: addressOf(server), heard: () => heard.join('\n'), close: () => close(server) };
}

/** Serves the files of a folder, such as a Git repository that is downloaded file by file. */
export async function folderServer(root: string): Promise<{ address: string; asked: () => number; close: () => void }> {
  let asked = 0;
  const server = createServer((request, response) => {
    asked++;
    const file = createReadStream(join(root, (request.url ?? '').split('?')[0] ?? ''));
    file.on('error', () => response.writeHead(404).end());
    file.pipe(response);
  });
  await listening(server);
  return { address: addressOf(server), asked: () => asked, close: () => close(server) };
}

const listening = (server: Server) => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const addressOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;

function close(server: Server): void {
  server.close();
  server.closeAllConnections();
}

function tarOf(files: Package): Buffer {
  const parts = Object.entries(files).flatMap(([name, text]) => {
    const data = Buffer.from(text);
    const head = Buffer.alloc(512);
    head.write(`package/${name}`, 0);
    head.write('0000755\0', 100);
    for (const at of [108, 116]) head.write('0000000\0', at);
    head.write(`${data.length.toString(8).padStart(11, '0')}\0`, 124);
    head.write('00000000000\0', 136);
    head.write('        0', 148);
    head.write('ustar\x0000', 257);
    const sum = head.reduce((total, byte) => total + byte, 0);
    head.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
    return [head, data, Buffer.alloc((512 - (data.length % 512)) % 512)];
  });
  return Buffer.concat([...parts, Buffer.alloc(1024)]);
}
