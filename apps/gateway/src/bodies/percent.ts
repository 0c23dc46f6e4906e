import { decodeEscaped } from './escaped-utf8.ts';

/** Decodes a name or a value of a form or a query; invalid bytes do not hide the text beside them. */
export function decodePercent(text: string): string {
  const blanks = text.replaceAll('+', ' ');
  if (!blanks.includes('%')) return blanks;
  try {
    return decodeURIComponent(blanks);
  } catch {
    return blanks.replace(/(?:%[\da-f]{2})+/gi, (escapes) => decodeEscaped(Buffer.from(escapes.replaceAll('%', ''), 'hex')));
  }
}

export const encodePercent = (text: string): string =>
  text
    .split(/([\udc80-\udcff])/u)
    .map((piece, at) =>
      at % 2 === 0 ? encodeURIComponent(piece.toWellFormed()) : `%${(piece.charCodeAt(0) & 0xff).toString(16).toUpperCase()}`,
    )
    .join('');
