import { posix } from 'node:path';
import { Marked } from 'marked';

/** An entry of the navigation. `file`: where its text lies in the repository; other entries are made by the server. */
export interface Guide {
  path: string;
  title: string;
  file?: string;
}

/** The address that commands in the guides name; the pages name the address of this server instead. */
const writtenUrl = 'http://localhost:4000';

/** A name or a command in the first column of a table stays on one line; code of more words is a message, which wraps. */
const nameWords = 4;

/** Makes pages of guides, with one navigation. The texts are the repository's own, so nothing in them is hostile. */
export function guidePages(groups: Record<string, Guide[]>, publicUrl: string) {
  const guides = Object.values(groups).flat();
  const addresses = new Map(guides.flatMap(({ file, path }) => (file ? [[file, path] as const] : [])));
  return (guide: Guide, text: string): string => {
    const body = rendering(guide.file ?? '', addresses, publicUrl).parse(text) as string;
    return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${guide.title} · Paddock</title><link rel="icon" href="/favicon.svg" type="image/svg+xml"><link rel="stylesheet" href="/docs/guide.css"></head><body><a class="skip" href="#text">Skip to the text</a><header><a href="/">Paddock</a></header><div class="columns"><nav aria-label="Guides">${navigation(groups, guide)}</nav><main id="text">${body}</main></div></body></html>`;
  };
}

function navigation(groups: Record<string, Guide[]>, current: Guide): string {
  const link = ({ path, title }: Guide) => `<a href="${path}"${path === current.path ? ' aria-current="page"' : ''}>${title}</a>`;
  return Object.entries(groups)
    .map(([name, guides]) => `<div><strong>${name}</strong> ${guides.map(link).join(' ')}</div>`)
    .join('');
}

function rendering(file: string, addresses: Map<string, string>, publicUrl: string): Marked {
  const seen = new Map<string, number>();
  return new Marked({
    gfm: true,
    async: false,
    walkTokens(token) {
      // Commands are for this server. Running text that tells a default is not.
      if (token.type === 'code') token.text = token.text.replaceAll(writtenUrl, publicUrl);
    },
    renderer: {
      heading({ tokens, depth }) {
        const words = this.parser.parseInline(tokens);
        return `<h${depth} id="${numbered(anchorOf(words), seen)}">${words}</h${depth}>\n`;
      },
      codespan({ text }) {
        return `<code${text.split(' ').length > nameWords ? ' class="sentence"' : ''}>${escape(text)}</code>`;
      },
      link({ href, tokens }) {
        const words = this.parser.parseInline(tokens);
        if (href === writtenUrl) return `<a href="${publicUrl}">${publicUrl}</a>`;
        if (/^(https?:|mailto:|#)/.test(href)) return `<a href="${href}">${words}</a>`;
        const [path = '', place] = href.split('#');
        const target = posix.normalize(posix.join(posix.dirname(file), path));
        const address = addresses.get(target);
        // What is in the clone alone has no page: its words stay, without a link that would be dead.
        if (address === undefined) return words;
        return `<a href="${address}${place === undefined ? '' : `#${place}`}">${words}</a>`;
      },
    },
  });
}

export const escape = (text: string) => text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);

/** Repeated headings get a number, as on forges. */
function numbered(anchor: string, seen: Map<string, number>): string {
  const before = seen.get(anchor) ?? 0;
  seen.set(anchor, before + 1);
  return before === 0 ? anchor : `${anchor}-${before}`;
}

/** The anchor that forges give a heading, so that a link to a part of a guide works in both places. */
export const anchorOf = (words: string) =>
  words
    .replace(/<[^<>]+>|&#?\w+;/g, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-');

// The console's colours (its tokens.css), so that a guide looks like the same product.
export const guideStyle = `:root { color-scheme: light dark; --line: light-dark(oklch(.89 .008 95), oklch(.31 .014 225)); --sunken: light-dark(oklch(.955 .006 95), oklch(.155 .011 225)); --accent: light-dark(oklch(.485 .078 200), oklch(.79 .095 196)); }
* { box-sizing: border-box; }
body { margin: 0; background: light-dark(oklch(.978 .004 95), oklch(.185 .012 225)); color: light-dark(oklch(.25 .015 230), oklch(.94 .006 95)); font: 16px/1.6 system-ui, sans-serif; }
header { padding: 0.75rem 1rem; border-bottom: 1px solid var(--line); font-weight: 600; }
nav { display: grid; gap: 0.5rem; padding: 0.75rem 1rem; border-bottom: 1px solid var(--line); }
nav div { display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; }
nav a[aria-current] { color: inherit; font-weight: 600; text-decoration: none; }
.skip { position: absolute; left: -999rem; }
.skip:focus { left: 1rem; top: 0.5rem; padding: 0.25rem 0.5rem; background: var(--sunken); }
main { max-width: 52rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; overflow-wrap: break-word; }
h1 { font-size: 1.7rem; line-height: 1.2; }
h2 { margin-top: 2.2rem; padding-bottom: 0.3rem; border-bottom: 1px solid var(--line); font-size: 1.25rem; }
a { color: var(--accent); }
code, pre { font-family: ui-monospace, 'DejaVu Sans Mono', monospace; font-size: 0.9em; }
code { padding: 0.1em 0.3em; border-radius: 3px; background: var(--sunken); }
pre { overflow-x: auto; padding: 0.75rem 1rem; border: 1px solid var(--line); border-radius: 4px; background: var(--sunken); }
pre code { padding: 0; background: none; }
@media (min-width: 60rem) {
  .columns { display: grid; grid-template-columns: 14rem minmax(0, 1fr); }
  nav { position: sticky; top: 0; align-content: start; gap: 1.25rem; max-height: 100vh; padding: 1.5rem 1rem; overflow-y: auto; border: 0; }
  nav div { display: grid; }
  main { width: 100%; margin: 0; padding-left: 2rem; }
}
table { display: block; overflow-x: auto; overflow-wrap: normal; border-collapse: collapse; }
td:first-child code:not(.sentence) { white-space: nowrap; }
th, td { padding: 0.35rem 0.75rem 0.35rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
`;
