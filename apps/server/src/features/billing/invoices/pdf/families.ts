import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The font packages; the first one that contains a character draws it. `slicesFor` orders the three for Han. */
const scripts = ['', '-arabic', '-hebrew', '-thai', '-armenian', '-georgian', '-bengali', '-tamil'];
const han = ['-sc', '-jp', '-kr'];

/** A file of a font package, and the code points that it may contain: from, to, in pairs. */
export interface Slice {
  name: string;
  file: string;
  ranges: readonly (readonly [number, number])[];
}

/**
 * The font slices that may contain a text's characters, the most likely first. Chinese, Japanese and Korean write some characters differently: the
 * country decides, or else kana indicate Japanese, hangul Korean, and any other text Chinese.
 */
export function slicesFor(text: string, country: string): readonly Slice[] {
  const first = firstHan(text, country);
  const order = [first, ...han.filter((one) => one !== first)];
  return [...scripts, ...order].flatMap(slicesOf);
}

function firstHan(text: string, country: string): string {
  if (country === 'JP' || country === 'KR') return country === 'JP' ? '-jp' : '-kr';
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)) return '-jp';
  return /\p{Script=Hangul}/u.test(text) ? '-kr' : '-sc';
}

const known = new Map<string, Slice[]>();

function slicesOf(script: string): Slice[] {
  const found = known.get(script) ?? readSlices(`noto-sans${script}`);
  known.set(script, found);
  return found;
}

function readSlices(family: string): Slice[] {
  const fileOf = (path: string) => fileURLToPath(import.meta.resolve(`@fontsource-variable/${family}/${path}`));
  const table = JSON.parse(readFileSync(fileOf('unicode.json'), 'utf8')) as Record<string, string>;
  return Object.entries(table).map(([key, ranges]) => {
    const name = `${family}-${key.replace(/[[\]]/g, '')}`;
    return { name, file: fileOf(`files/${name}-wght-normal.woff2`), ranges: ranges.split(',').map(rangeOf) };
  });
}

/** 'U+20' or 'U+20-7e'. */
function rangeOf(text: string): [number, number] {
  const [from = '', to = from] = text.slice(2).split('-');
  return [Number.parseInt(from, 16), Number.parseInt(to, 16)];
}

export const mayHave = ({ ranges }: Slice, point: number): boolean => ranges.some(([from, to]) => point >= from && point <= to);
