/** Returns the width of a text, in points. */
type WidthOf = (text: string) => number;

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
const words = new Intl.Segmenter('en', { granularity: 'word' });

/** Breaks a text into lines that are no wider than `width`. In scripts without spaces lines break between words; a word that is too long is cut. */
export function wrapText(text: string, { width, widthOf }: { width: number; widthOf: WidthOf }): string[] {
  const lines: string[] = [];
  let line = '';
  for (const part of text.split(/(?<= )/).flatMap(partsOf)) {
    if (widthOf((line + part).trimEnd()) <= width) {
      line += part;
      continue;
    }
    if (line !== '') lines.push(line.trimEnd());
    const cut = splitWord(part, { width, widthOf });
    lines.push(...cut.slice(0, -1));
    line = cut.at(-1) ?? '';
  }
  return [...lines, line.trimEnd()].filter((each, index) => each !== '' || index === 0);
}

const withoutSpaces = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

const partsOf = (word: string): string[] => (withoutSpaces.test(word) ? Array.from(words.segment(word), ({ segment }) => segment) : [word]);

/** Cuts between graphemes, so that accents stay with their letters. */
function splitWord(word: string, { width, widthOf }: { width: number; widthOf: WidthOf }): string[] {
  if (widthOf(word.trimEnd()) <= width) return [word];
  const pieces: string[] = [];
  let [piece, used] = ['', 0];
  for (const { segment } of graphemes.segment(word)) {
    const more = widthOf(segment);
    if (piece !== '' && used + more > width) {
      pieces.push(piece);
      [piece, used] = ['', 0];
    }
    piece += segment;
    used += more;
  }
  return [...pieces, piece];
}
