import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Provider } from '@paddock/contract';
import type { FastifyInstance } from 'fastify';
import { serveDocs } from './docs/serve-docs.ts';
import { consoleFiles } from './files/console-files.ts';
import { prepareFile, sendFile, serveFile } from './files/send-file.ts';

interface Pages {
  consoleDir: string;
  version: string;
  publicUrl: string;
  /** The configured sign-in providers, which the sign-in page gets with its HTML. */
  providers: Provider[];
}

const ASSET = /^\/assets\/[^/]+$/;

/** Serves the pages for people: the docs and the console. */
export function servePages(app: FastifyInstance, { consoleDir, version, publicUrl, providers }: Pages) {
  serveDocs(app, { version, publicUrl });
  serveConsole(app, consoleDir, providers);
}

function serveConsole(app: FastifyInstance, folder: string, providers: Provider[]) {
  const index = join(folder, 'index.html');
  if (!existsSync(index)) {
    const told = 'The console is not built yet. Run "npm start", which builds it.';
    app.setNotFoundHandler((_, reply) => reply.code(503).type('text/plain').send(told));
    return;
  }
  const files = consoleFiles(folder);
  for (const [url, file] of files) if (!ASSET.test(url)) serveFile(app, url, () => file);
  // A single route for all assets, because each route adds a millisecond to the start.
  const exists = (path: string) => files.has(path);
  app.get<{ Params: { name: string } }>('/assets/:name', { config: { exists } }, (request, reply) =>
    sendFile(request, reply, files.get(`/assets/${request.params.name}`)!),
  );
  const told = `<head><meta name="paddock-providers" content="${providers.join(' ')}" />`;
  const page = prepareFile(readFileSync(index, 'utf8').replace('<head>', told), { type: 'text/html; charset=utf-8', cache: 'no-cache' });
  // Only the console's addresses arrive here; others are refused before.
  app.setNotFoundHandler((request, reply) => sendFile(request, reply, page));
}
