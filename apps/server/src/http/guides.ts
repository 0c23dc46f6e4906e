import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ApiError, errors } from '@paddock/contract';
import type { FastifyInstance } from 'fastify';
import { Marked } from 'marked';
import { type File, fileOf, serveFile } from './files/send-file.ts';

/** The guides of `docs/` that a running Paddock serves as pages, by their addresses below `/docs`, as the pages name each other. */
const guides = {
  cli: 'Command line',
  databases: 'Databases',
  'github-actions': 'GitHub Actions',
  manifest: 'Archives',
  'sign-in': 'Sign-in',
  scopes: 'Scopes',
} as const;

const root = join(import.meta.dirname, '../../../..');
const toolFile = join(root, 'apps/cli/dist/paddock.mjs');

/** Guides for people, and the tool that one of them tells of. */
export function serveGuides(app: FastifyInstance, publicUrl: string) {
  for (const [name, title] of Object.entries(guides)) {
    // The commands are for this server.
    const text = readFileSync(join(root, 'docs', `${name}.md`), 'utf8').replaceAll('http://localhost:4000', publicUrl);
    const page = fileOf(pageOf(title, text), { type: 'text/html; charset=utf-8', cache: 'no-cache' });
    serveFile(app, `/docs/${name}`, () => page);
  }
  const errorsPage = fileOf(pageOf('Errors', errorsText()), { type: 'text/html; charset=utf-8', cache: 'no-cache' });
  serveFile(app, '/docs/errors', () => errorsPage);
  const styles = fileOf(style, { type: 'text/css; charset=utf-8', cache: 'no-cache' });
  serveFile(app, '/docs/guide.css', () => styles);
  let tool: File | undefined;
  serveFile(app, '/docs/cli/paddock.mjs', () => {
    if (!tool && !existsSync(toolFile))
      throw new ApiError('unavailable', { detail: 'The tool is not built yet. Run "npm start", which builds it.' });
    const headers = { 'content-disposition': 'attachment; filename="paddock"' };
    return (tool ??= fileOf(readFileSync(toolFile), { type: 'text/javascript; charset=utf-8', cache: 'no-cache', headers }));
  });
}

/** Every error under its code, to which the `type` of a problem leads. */
const errorsText = () =>
  ['# Errors', ...Object.entries(errors).map(([code, { status, detail }]) => `### ${code}\n\nStatus ${status}: ${escape(detail)}`)].join(
    '\n\n',
  );

const escape = (text: string) => text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);

/** The texts are the repository's own, so nothing in them is hostile. */
function pageOf(title: string, text: string): string {
  const marked = new Marked({ gfm: true, async: false });
  const linked = text.replaceAll(
    /\]\(([\w-]+)\.md(#[\w-]+)?\)/g,
    (_, name: string, part = '') => `](${name in guides ? `/docs/${name}` : '/docs'}${part})`,
  );
  const body = (marked.parse(linked) as string).replace(
    /<h([23])>(.*?)<\/h\1>/g,
    (_, level, words) => `<h${level} id="${slug(words)}">${words}</h${level}>`,
  );
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title} · Paddock</title><link rel="icon" href="/favicon.svg" type="image/svg+xml"><link rel="stylesheet" href="/docs/guide.css"></head><body><header><a href="/">Paddock</a><nav>${links}</nav></header><main>${body}</main></body></html>`;
}

const links = [...Object.entries(guides), ['errors', 'Errors'], ['', 'API']]
  .map(([name, word]) => `<a href="/docs${name ? `/${name}` : ''}">${word}</a>`)
  .join(' ');

const slug = (words: string) =>
  words
    .replace(/<[^<>]+>|&\w+;/g, '')
    .toLowerCase()
    .replace(/[^\w]+/g, '-')
    .replace(/^-|-$/g, '');

// The console's colours (its tokens.css), so that a guide looks like the same product.
const style = `:root { color-scheme: light dark; --line: light-dark(oklch(.89 .008 95), oklch(.31 .014 225)); --sunken: light-dark(oklch(.955 .006 95), oklch(.155 .011 225)); --accent: light-dark(oklch(.485 .078 200), oklch(.79 .095 196)); }
* { box-sizing: border-box; }
body { margin: 0; background: light-dark(oklch(.978 .004 95), oklch(.185 .012 225)); color: light-dark(oklch(.25 .015 230), oklch(.94 .006 95)); font: 16px/1.6 system-ui, sans-serif; }
header { display: flex; flex-wrap: wrap; gap: 0.25rem 1.5rem; padding: 0.75rem 1rem; border-bottom: 1px solid var(--line); font-weight: 600; }
nav { display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; font-weight: 400; }
main { max-width: 52rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; overflow-wrap: break-word; }
h1 { font-size: 1.7rem; line-height: 1.2; }
h2 { margin-top: 2.2rem; padding-bottom: 0.3rem; border-bottom: 1px solid var(--line); font-size: 1.25rem; }
a { color: var(--accent); }
code, pre { font-family: ui-monospace, 'DejaVu Sans Mono', monospace; font-size: 0.9em; }
code { padding: 0.1em 0.3em; border-radius: 3px; background: var(--sunken); }
pre { overflow-x: auto; padding: 0.75rem 1rem; border: 1px solid var(--line); border-radius: 4px; background: var(--sunken); }
pre code { padding: 0; background: none; }
table { display: block; overflow-x: auto; border-collapse: collapse; }
td:first-child code { white-space: nowrap; }
th, td { padding: 0.35rem 0.75rem 0.35rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
`;
