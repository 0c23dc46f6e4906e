import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The packages of fonts, the first one that has a character draws it. Between the three of Han, `orderFor` decides. */
const scripts = ['', '-arabic', '-hebrew', '-thai', '-armenian', '-georgian', '-bengali', '-tamil'];
const han = ['-sc', '-jp', '-kr'];

/** A file of a package of fonts, and the code points that it may have: from, to, in pairs. */
export interface Slice {
  name: string;
  file: string;
  ranges: readonly (readonly [number, number])[];
}

/**
 * Where the characters of a text may be found, the likeliest first. Chinese, Japanese and Korean write some characters in different ways: the country says
 * how, or else kana are taken for Japanese, hangul for Korean, and any other text for Chinese.
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
