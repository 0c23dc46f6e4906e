import { type File, prepareFile } from '../files/send-file.ts';

/** An entry of the navigation. `file`: path of its text in the repository; the server generates entries without one. */
export interface Guide {
  path: string;
  title: string;
  file?: string;
}

interface Page {
  title: string;
  /** The navigation entry of the page, or of the pages that it belongs to. */
  entry: string;
  /** Whether the page is only a part of its entry. */
  isPart?: boolean;
}

/** Renders a whole page below `/docs` with the navigation. */
export type Frame = (page: Page, text: string) => string;

export function createFrame(groups: Record<string, Guide[]>): Frame {
  return (page, text) =>
    [
      '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">',
      `<title>${page.title} · Paddock</title><link rel="icon" href="/favicon.svg" type="image/svg+xml"><link rel="stylesheet" href="/docs/guide.css"></head>`,
      '<body><a class="skip" href="#text">Skip to the text</a><header><strong>Paddock</strong> <a href="/">Open the console</a></header>',
      `<div class="columns"><nav aria-label="Guides">${navigation(groups, page)}</nav><main id="text">${text}</main></div></body></html>`,
    ].join('');
}

function navigation(groups: Record<string, Guide[]>, { entry, isPart }: Page): string {
  const current = ` aria-current="${isPart ? 'true' : 'page'}"`;
  const link = ({ path, title }: Guide) => `<a href="${path}"${path === entry ? current : ''}>${title}</a>`;
  return Object.entries(groups)
    .map(([name, guides]) => `<div><strong>${name}</strong> ${guides.map(link).join(' ')}</div>`)
    .join('');
}

/** The pages use no script, form or connection, so the policy forbids them. */
const policy = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export const pageFile = (html: string): File =>
  prepareFile(html, { type: 'text/html; charset=utf-8', cache: 'no-cache', headers: { 'content-security-policy': policy } });

export const escape = (text: string) => text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);
