import { posix } from 'node:path';
import { Marked } from 'marked';
import { createFrame, escape, type Guide } from './frame.ts';

/** The address in the guides' commands; the pages replace it with the address of this server. */
const writtenUrl = 'http://localhost:4000';

/** Code in the first column of a table stays on one line up to this many words; longer code is a message, which wraps. */
const nameWords = 4;

/** Renders the guides as pages with one navigation. The texts come from the repository and are trusted. */
export function guidePages(groups: Record<string, Guide[]>, publicUrl: string) {
  const frame = createFrame(groups);
  const addresses = new Map<string, string>();
  for (const { file, path } of Object.values(groups).flat()) if (file) addresses.set(file, path);
  return ({ file = '', path, title }: Guide, text: string): string =>
    frame({ title, entry: path }, rendering(file, addresses, publicUrl).parse(text) as string);
}

function rendering(file: string, addresses: Map<string, string>, publicUrl: string): Marked {
  const seen = new Map<string, number>();
  return new Marked({
    gfm: true,
    async: false,
    walkTokens(token) {
      // Only in commands: running text names the address as the default.
      if (token.type === 'code') token.text = token.text.replaceAll(writtenUrl, publicUrl);
    },
    renderer: {
      heading({ tokens, depth }) {
        const words = this.parser.parseInline(tokens);
        return `<h${depth} id="${numbered(toAnchor(words), seen)}">${words}</h${depth}>\n`;
      },
      codespan({ text }) {
        return `<code${text.split(' ').length > nameWords ? ' class="sentence"' : ''}>${escape(text)}</code>`;
      },
      link({ href, tokens }) {
        const words = this.parser.parseInline(tokens);
        if (href === writtenUrl) return `<a href="${publicUrl}">${publicUrl}</a>`;
        // A page of the server that is no guide, such as one of the reference.
        if (href.startsWith(`${writtenUrl}/`)) return `<a href="${href.slice(writtenUrl.length)}">${words}</a>`;
        if (/^(https?:|mailto:|#)/.test(href)) return `<a href="${href}">${words}</a>`;
        const [path = '', place] = href.split('#');
        const target = posix.normalize(posix.join(posix.dirname(file), path));
        const address = addresses.get(target);
        // A file without a page is only in the clone: its text stays, without the link, which would be dead.
        if (address === undefined) return words;
        return `<a href="${address}${place === undefined ? '' : `#${place}`}">${words}</a>`;
      },
    },
  });
}

/** Repeated headings get a number, as on GitHub. */
function numbered(anchor: string, seen: Map<string, number>): string {
  const before = seen.get(anchor) ?? 0;
  seen.set(anchor, before + 1);
  return before === 0 ? anchor : `${anchor}-${before}`;
}

/** The anchor that GitHub gives a heading, so that a link to a section works in both places. */
export const toAnchor = (words: string) =>
  words
    .replace(/<[^<>]+>|&#?\w+;/g, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-');
