import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { contract, type Provider } from '@paddock/contract';
import type { FastifyInstance } from 'fastify';
import { consoleFiles } from './files/console-files.ts';
import { type File, fileOf, sendFile, serveFile } from './files/send-file.ts';
import { serveGuides } from './guides.ts';
import { openApi } from './openapi.ts';

interface Pages {
  consoleDir: string;
  version: string;
  publicUrl: string;
  /** Those that are configured; the sign-in page knows them without asking. */
  providers: Provider[];
}

/** The console's files, the API's document and its reference page. */
export function servePages(app: FastifyInstance, { consoleDir, version, publicUrl, providers }: Pages) {
  const document = fileOf(JSON.stringify(openApi(contract, version)), { type: 'application/json', cache: 'no-store' });
  serveFile(app, '/api/v1/openapi.json', () => document);
  const docs = fileOf(docsPage, { type: 'text/html; charset=utf-8', cache: 'no-cache' });
  serveFile(app, '/docs', () => docs);
  const start = fileOf(docsStart, { type: 'text/javascript; charset=utf-8', cache: 'no-cache' });
  serveFile(app, '/docs/start.js', () => start);
  serveGuides(app, publicUrl);
  const scalar = dirname(fileURLToPath(import.meta.resolve('@scalar/api-reference')));
  // Megabytes that anybody may ask for: kept once asked, so that many who read slowly cost neither reads of the disk nor open files.
  let reference: File | undefined;
  serveFile(app, '/docs/reference.js', () => {
    const facts = { type: 'text/javascript; charset=utf-8', cache: 'public, max-age=86400' };
    return (reference ??= fileOf(readFileSync(join(scalar, 'browser/standalone.js')), facts));
  });
  serveConsole(app, consoleDir, providers);
}

function serveConsole(app: FastifyInstance, folder: string, providers: Provider[]) {
  const index = join(folder, 'index.html');
  if (!existsSync(index)) {
    const told = 'The console is not built yet. Run "npm start", which builds it.';
    app.setNotFoundHandler((_, reply) => reply.code(503).type('text/plain').send(told));
    return;
  }
  for (const [url, file] of consoleFiles(folder)) serveFile(app, url, () => file);
  const told = `<head><meta name="paddock-providers" content="${providers.join(' ')}" />`;
  const page = fileOf(readFileSync(index, 'utf8').replace('<head>', told), { type: 'text/html; charset=utf-8', cache: 'no-cache' });
  // What comes here is no other address: those are refused before.
  app.setNotFoundHandler((request, reply) => sendFile(request, reply, page));
}

const docsPage = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Paddock API reference</title><link rel="icon" href="/favicon.svg" type="image/svg+xml"></head><body><div id="reference"></div><script src="/docs/reference.js"></script><script src="/docs/start.js"></script></body></html>`;

const docsStart = `Scalar.createApiReference('#reference', { url: '/api/v1/openapi.json', withDefaultFonts: false, telemetry: false, hideClientButton: true,
  agent: { disabled: true }, mcp: { disabled: true }, showDeveloperTools: 'never' });`;
