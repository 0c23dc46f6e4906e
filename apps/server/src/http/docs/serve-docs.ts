import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ApiError, contract, type ErrorCode, errorNotes, errors } from '@paddock/contract';
import type { FastifyInstance } from 'fastify';
import { type File, prepareFile, serveFile } from '../files/send-file.ts';
import { createFrame, escape, type Guide, pageFile } from './frame.ts';
import { guidePages } from './guide-pages.ts';
import { groups } from './guides.ts';
import { openApi } from './openapi.ts';
import { referencePages, referencePaths } from './reference/reference-pages.ts';

const root = join(import.meta.dirname, '../../../../..');
const toolFile = join(root, 'apps/cli/dist/paddock.mjs');
const errorsPath = '/docs/errors';

/**
 * Serves the OpenAPI document, everything below `/docs`, and the command line tool that one of the guides describes. Pages are rendered at the first
 * request: most servers are started more often than the docs are read, and all pages together take a fifth of a second.
 */
export function serveDocs(app: FastifyInstance, { version, publicUrl }: { version: string; publicUrl: string }) {
  const document = once(() => openApi(contract, version));
  const documentFile = once(() => prepareFile(JSON.stringify(document()), { type: 'application/json', cache: 'no-store' }));
  serveFile(app, '/api/v1/openapi.json', documentFile);
  const reference = once(() => referencePages({ document: document(), contract, publicUrl, frame: createFrame(groups) }));
  const pages = [...guides(publicUrl), ...referencePaths(contract).map((path) => ({ path, html: () => reference().get(path)! }))];
  for (const { path, html } of pages)
    serveFile(
      app,
      path,
      once(() => pageFile(html())),
    );
  const style = prepareFile(readFileSync(join(import.meta.dirname, 'guide.css')), { type: 'text/css; charset=utf-8', cache: 'no-cache' });
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

/** Every error under its code; the `type` of a problem links there. */
function errorsText(): string {
  const sections = (Object.keys(errors) as ErrorCode[]).map((code) => {
    const { status, detail } = errors[code];
    const note = errorNotes[code] === undefined ? '' : ` ${errorNotes[code]}`;
    return `### ${code}\n\nStatus ${status}: ${escape(detail)}${note}`;
  });
  return ['# Errors', ...sections].join('\n\n');
}

function serveTool(app: FastifyInstance): void {
  let tool: File | undefined;
  serveFile(app, '/docs/cli/paddock.mjs', () => {
    if (!tool && !existsSync(toolFile))
      throw new ApiError('unavailable', { detail: 'The tool is not built yet. Run "npm start", which builds it.' });
    const headers = { 'content-disposition': 'attachment; filename="paddock"' };
    return (tool ??= prepareFile(readFileSync(toolFile), { type: 'text/javascript; charset=utf-8', cache: 'no-cache', headers }));
  });
}
