import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { create, type Font } from 'fontkit';
import subsetFont from 'subset-font';

export type Weight = 400 | 700;
/** A font subset to the characters of one document. */
interface OwnFont {
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
  const places = await assignSlices(texts.join(' '), country);
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
  const places = await assignSlices(clean, '');
  return Array.from(clean, (character) => {
    if (places.has(character)) return character;
    return character === '\u200c' || character === '\u200d' ? '' : `[U+${pointOf(character)}]`;
  }).join('');
}

async function assignSlices(text: string, country: string): Promise<Map<string, Slice>> {
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

/** The font packages; the first one that contains a character draws it. `slicesFor` orders the three for Han. */
const scripts = ['', '-arabic', '-hebrew', '-thai', '-armenian', '-georgian', '-bengali', '-tamil'];
const han = ['-sc', '-jp', '-kr'];

/** A file of a font package, and the code points that it may contain: from, to, in pairs. */
interface Slice {
  name: string;
  file: string;
  ranges: readonly (readonly [number, number])[];
}

/**
 * The font slices that may contain a text's characters, the most likely first. Chinese, Japanese and Korean write some characters differently: the
 * country decides, or else kana indicate Japanese, hangul Korean, and any other text Chinese.
 */
function slicesFor(text: string, country: string): readonly Slice[] {
  const first = firstHan(text, country);
  const order = [first, ...han.filter((one) => one !== first)];
  return [...scripts, ...order].flatMap(loadSlices);
}

function firstHan(text: string, country: string): string {
  if (country === 'JP' || country === 'KR') return country === 'JP' ? '-jp' : '-kr';
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)) return '-jp';
  return /\p{Script=Hangul}/u.test(text) ? '-kr' : '-sc';
}

const known = new Map<string, Slice[]>();

function loadSlices(script: string): Slice[] {
  const found = known.get(script) ?? readSlices(`noto-sans${script}`);
  known.set(script, found);
  return found;
}

function readSlices(family: string): Slice[] {
  const fileOf = (path: string) => fileURLToPath(import.meta.resolve(`@fontsource-variable/${family}/${path}`));
  const table = JSON.parse(readFileSync(fileOf('unicode.json'), 'utf8')) as Record<string, string>;
  return Object.entries(table).map(([key, ranges]) => {
    const name = `${family}-${key.replace(/[[\]]/g, '')}`;
    return { name, file: fileOf(`files/${name}-wght-normal.woff2`), ranges: ranges.split(',').map(parseRange) };
  });
}

/** 'U+20' or 'U+20-7e'. */
function parseRange(text: string): [number, number] {
  const [from = '', to = from] = text.slice(2).split('-');
  return [Number.parseInt(from, 16), Number.parseInt(to, 16)];
}

const mayHave = ({ ranges }: Slice, point: number): boolean => ranges.some(([from, to]) => point >= from && point <= to);
