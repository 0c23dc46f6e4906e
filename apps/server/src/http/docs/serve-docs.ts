import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ApiError, contract, errors } from '@paddock/contract';
import type { FastifyInstance } from 'fastify';
import { type File, fileOf, serveFile } from '../files/send-file.ts';
import { escape, frameOf, type Guide, pageFile } from './frame.ts';
import { guidePages } from './guide-pages.ts';
import { groups } from './guides.ts';
import { openApi } from './openapi.ts';
import { referencePages, referencePaths } from './reference/reference-pages.ts';

const root = join(import.meta.dirname, '../../../../..');
const toolFile = join(root, 'apps/cli/dist/paddock.mjs');
const errorsPath = '/docs/errors';

/**
 * The OpenAPI document, everything below `/docs`, and the command line tool for which one of the guides is written. Pages are rendered on first
 * request: most servers are started more often than their documentation is read, and all pages together take a fifth of a second.
 */
export function serveDocs(app: FastifyInstance, { version, publicUrl }: { version: string; publicUrl: string }) {
  const document = once(() => openApi(contract, version));
  const documentFile = once(() => fileOf(JSON.stringify(document()), { type: 'application/json', cache: 'no-store' }));
  serveFile(app, '/api/v1/openapi.json', documentFile);
  const reference = once(() => referencePages({ document: document(), contract, publicUrl, frame: frameOf(groups) }));
  const pages = [...guides(publicUrl), ...referencePaths(contract).map((path) => ({ path, html: () => reference().get(path)! }))];
  for (const { path, html } of pages)
    serveFile(
      app,
      path,
      once(() => pageFile(html())),
    );
  const style = fileOf(readFileSync(join(import.meta.dirname, 'guide.css')), { type: 'text/css; charset=utf-8', cache: 'no-cache' });
  serveFile(app, '/docs/guide.css', () => style);
  serveTool(app);
}

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

function guides(publicUrl: string): { path: string; html: () => string }[] {
  const pageOf = guidePages(groups, publicUrl);
  return Object.values<Guide[]>(groups)
    .flat()
    .filter(({ file, path }) => file || path === errorsPath)
    .map((guide) => ({
      path: guide.path,
      html: () => pageOf(guide, guide.file ? readFileSync(join(root, guide.file), 'utf8') : errorsText()),
    }));
}

/** Every error under its code, which the `type` of a problem links to. */
function errorsText(): string {
  const sections = Object.entries(errors).map(([code, { status, detail }]) => `### ${code}\n\nStatus ${status}: ${escape(detail)}`);
  return ['# Errors', ...sections].join('\n\n');
}

function serveTool(app: FastifyInstance): void {
  let tool: File | undefined;
  serveFile(app, '/docs/cli/paddock.mjs', () => {
    if (!tool && !existsSync(toolFile))
      throw new ApiError('unavailable', { detail: 'The tool is not built yet. Run "npm start", which builds it.' });
    const headers = { 'content-disposition': 'attachment; filename="paddock"' };
    return (tool ??= fileOf(readFileSync(toolFile), { type: 'text/javascript; charset=utf-8', cache: 'no-cache', headers }));
  });
}
