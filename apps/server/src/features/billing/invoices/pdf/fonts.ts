import { readFile } from 'node:fs/promises';
import { create, type Font } from 'fontkit';
import subsetFont from 'subset-font';
import { mayHave, type Slice, slicesFor } from './families.ts';

export type Weight = 400 | 700;
/** A font subset to the characters of one document. */
export interface OwnFont {
  name: string;
  bytes: Buffer;
}
export interface Fonts {
  all: OwnFont[];
  /** The name of the font that draws a character. */
  of: (character: string, weight: Weight) => string;
}

/**
 * The fonts of a document, subset to its characters: each character is drawn by the first font that contains it. Only characters of texts from
 * `drawable` are available. The same texts give the same bytes.
 */
export async function fontsFor(texts: readonly string[], country: string): Promise<Fonts> {
  const places = await placesOf(texts.join(' '), country);
  const bySlice = Map.groupBy(places, ([, slice]) => slice);
  const all: OwnFont[] = [];
  for (const [slice, own] of bySlice) {
    const bytes = await readFile(slice.file);
    const characters = own.map(([character]) => character).join('');
    for (const weight of [400, 700] as const) {
      const options = { targetFormat: 'truetype', variationAxes: { wght: weight } } as const;
      all.push({ name: nameOf(slice, weight), bytes: await subsetFont(bytes, characters, options) });
    }
  }
  return {
    all,
    of(character, weight) {
      const slice = places.get(character);
      if (!slice) throw new RangeError(`No font was made ready for U+${pointOf(character)}.`);
      return nameOf(slice, weight);
    },
  };
}

/**
 * The text in drawable form: composed, on one line, without invisible characters, and with [U+1F984] for a character that no font has. An empty box
 * would hide that something is missing.
 */
export async function drawable(text: string): Promise<string> {
  const clean = text
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Zs}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/(?!\u200c|\u200d)[\p{Default_Ignorable_Code_Point}\p{Cs}\p{Co}\p{Cn}]/gu, '')
    .trim();
  const places = await placesOf(clean, '');
  return Array.from(clean, (character) => {
    if (places.has(character)) return character;
    return character === '\u200c' || character === '\u200d' ? '' : `[U+${pointOf(character)}]`;
  }).join('');
}

async function placesOf(text: string, country: string): Promise<Map<string, Slice>> {
  const slices = slicesFor(text, country);
  const found = new Map<string, Slice>();
  // Characters that documents contain themselves, such as the code of a character that no font has.
  for (const character of new Set(`${text} []+0123456789ABCDEFU…-`)) {
    const point = character.codePointAt(0) ?? 0;
    for (const slice of slices) {
      if (!mayHave(slice, point) || !(await opened(slice)).hasGlyphForCodePoint(point)) continue;
      found.set(character, slice);
      break;
    }
  }
  return found;
}

const fonts = new Map<string, Font>();

/** Opens the file to check its content: the declared ranges of a slice exceed what it contains. */
async function opened({ name, file }: Slice): Promise<Font> {
  const font = fonts.get(name) ?? (create(await readFile(file)) as Font);
  fonts.set(name, font);
  return font;
}

const nameOf = ({ name }: Slice, weight: Weight) => `${name} ${weight}`;
const pointOf = (character: string) => (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
