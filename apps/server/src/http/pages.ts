import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import { contract, type Provider } from '@paddock/contract';
import type { FastifyInstance, FastifyReply } from 'fastify';
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
  const document = JSON.stringify(openApi(contract, version));
  app.get('/api/v1/openapi.json', (_, reply) => reply.type('application/json').send(document));
  app.get('/docs', (_, reply) => reply.type('text/html; charset=utf-8').send(docsPage));
  app.get('/docs/start.js', (_, reply) => reply.type('text/javascript; charset=utf-8').send(docsStart));
  serveGuides(app, publicUrl);
  const scalar = dirname(fileURLToPath(import.meta.resolve('@scalar/api-reference')));
  // Megabytes that anybody may ask for: kept once asked, so that many who read slowly cost neither reads of the disk nor open files.
  let reference: Buffer | undefined;
  app.get('/docs/reference.js', (_, reply) => {
    reference ??= readFileSync(join(scalar, 'browser/standalone.js'));
    return reply.type('text/javascript; charset=utf-8').header('cache-control', 'public, max-age=86400').send(reference);
  });

  const index = join(consoleDir, 'index.html');
  const built = existsSync(index);
  const told = `<head><meta name="paddock-providers" content="${providers.join(' ')}" />`;
  const files = { wildcard: false, dotfiles: 'deny', index: false, setHeaders: cacheFor } as const;
  app.register(fastifyStatic, built ? { ...files, root: consoleDir } : { ...files, root: scalar, serve: false });
  // What comes here is no other address: those are refused before.
  app.setNotFoundHandler((_, reply) => {
    if (!built) return reply.code(503).type('text/plain').send('The console is not built yet. Run "npm start", which builds it.');
    return reply
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-cache')
      .send(readFileSync(index, 'utf8').replace('<head>', told));
  });
}

// Built files carry the hash of their content in their name.
const cacheFor = (reply: FastifyReply, path: string) => {
  reply.header('cache-control', /\/assets\//.test(path) ? 'public, max-age=31536000, immutable' : 'no-cache');
};

const docsPage = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Paddock API reference</title><link rel="icon" href="/favicon.svg" type="image/svg+xml"></head><body><div id="reference"></div><script src="/docs/reference.js"></script><script src="/docs/start.js"></script></body></html>`;

const docsStart = `Scalar.createApiReference('#reference', { url: '/api/v1/openapi.json', withDefaultFonts: false, telemetry: false, hideClientButton: true,
  agent: { disabled: true }, mcp: { disabled: true }, showDeveloperTools: 'never' });`;
