import { posix } from 'node:path';
import { Marked } from 'marked';
import { escape, frameOf, type Guide } from './frame.ts';

/** The address that commands in the guides name; the pages name the address of this server instead. */
const writtenUrl = 'http://localhost:4000';

/** A name or a command in the first column of a table stays on one line; code of more words is a message, which wraps. */
const nameWords = 4;

/** Makes pages of guides, with one navigation. The texts are the repository's own, so nothing in them is hostile. */
export function guidePages(groups: Record<string, Guide[]>, publicUrl: string) {
  const frame = frameOf(groups);
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
