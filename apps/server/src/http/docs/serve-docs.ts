import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ApiError, contract, errors } from '@paddock/contract';
import type { FastifyInstance } from 'fastify';
import { type File, fileOf, serveFile } from '../files/send-file.ts';
import { escape, frameOf, type Guide, pageFile } from './frame.ts';
import { guidePages } from './guide-pages.ts';
import { groups } from './guides.ts';
import { openApi } from './openapi.ts';
import { referencePages } from './reference/reference-pages.ts';

const root = join(import.meta.dirname, '../../../../..');
const toolFile = join(root, 'apps/cli/dist/paddock.mjs');
const errorsPath = '/docs/errors';

/** The API's document, everything below `/docs`, and the command line that one of the guides describes. All pages are made once, at the start. */
export function serveDocs(app: FastifyInstance, { version, publicUrl }: { version: string; publicUrl: string }) {
  const document = openApi(contract, version);
  const documentFile = fileOf(JSON.stringify(document), { type: 'application/json', cache: 'no-store' });
  serveFile(app, '/api/v1/openapi.json', () => documentFile);
  const pages = new Map([...guides(publicUrl), ...referencePages({ document, contract, publicUrl, frame: frameOf(groups) })]);
  for (const [path, html] of pages) {
    const page = pageFile(html);
    serveFile(app, path, () => page);
  }
  const style = fileOf(readFileSync(join(import.meta.dirname, 'guide.css')), { type: 'text/css; charset=utf-8', cache: 'no-cache' });
  serveFile(app, '/docs/guide.css', () => style);
  serveTool(app);
}

function guides(publicUrl: string): Map<string, string> {
  const pageOf = guidePages(groups, publicUrl);
  const pages = new Map<string, string>();
  for (const guide of Object.values<Guide[]>(groups).flat()) {
    if (guide.file) pages.set(guide.path, pageOf(guide, readFileSync(join(root, guide.file), 'utf8')));
    else if (guide.path === errorsPath) pages.set(guide.path, pageOf(guide, errorsText()));
  }
  return pages;
}

/** Every error under its code, to which the `type` of a problem leads. */
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
