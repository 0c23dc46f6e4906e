import { type Finding, type Known, known, mask, type PiiType, redact, tokeniser } from '@paddock/pii';
import { encodeEscaped } from '../bodies/escaped-utf8.ts';
import type { Pass } from '../bodies/reading.ts';
import { placeholderOf } from './placeholder.ts';
import { type Counts, countByType, type TextFormat } from './redactor.ts';

type Replacement = (type: PiiType, value: string) => string;
export type KnownPairs = [PiiType, string][];

/** A scan of a text, in a form that can be posted to another thread. */
export interface ScanTask {
  text: string;
  format: TextFormat;
  types: PiiType[];
  /** The types among these whose values become tokens. */
  tokenised: PiiType[];
  /** Key of the project's tokens; without one nothing becomes a token. */
  tokenKey: Uint8Array | undefined;
  /** Known values of the trace. */
  values: KnownPairs;
  /** Set if the text lies among binary bytes: masks are as long as their values. */
  among?: Pass['among'];
}

export interface Scanned {
  text: string;
  found: Counts | undefined;
  /** Newly found values. */
  values: KnownPairs;
}

export function scan({ text, format, types, tokenised, tokenKey, values, among }: ScanTask): Scanned {
  const known = new KnownValueSet();
  for (const [type, value] of values) known.add(type, value);
  const before = known.pairs.length;
  const replacement = createReplacement(tokenised, tokenKey);
  const shown = among === 'apart' ? text.replace(noText, '\n') : text;
  const { text: changed, findings } = mask(shown, { types: new Set(types), format, replacement, known });
  const masked = among === undefined ? changed : redact(text, findings, fitReplacement(replacement ?? placeholderOf, among));
  return { text: masked, found: findings.length === 0 ? undefined : countByType(findings), values: known.pairs.slice(before) };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they end a text among other bytes
const noText = /[\0-\x08\x0e-\x1f\x7f-\xff]/g;

/** A mask with as many bytes as its value. */
export function fitReplacement(replacement: Replacement, among: 'apart' | 'joined'): Replacement {
  return (type, value) => {
    const length = among === 'apart' ? value.length : encodeEscaped(value).length;
    return replacement(type, value).slice(0, length).padEnd(length);
  };
}

export function createReplacement(tokenised: readonly PiiType[], tokenKey: Uint8Array | undefined): Replacement | undefined {
  if (tokenKey === undefined || tokenised.length === 0) return undefined;
  const tokenise = tokeniser(tokenKey);
  return (type, value) => (tokenised.includes(type) ? tokenise(type, value) : placeholderOf(type));
}

/** Known values that can be posted to another thread. Most exchanges have none, and then cost nearly nothing. */
export class KnownValueSet implements Known {
  /** The added pairs, for another thread. */
  readonly pairs: KnownPairs = [];
  #values: Known | undefined;

  add(type: PiiType, value: string): boolean {
    const values = (this.#values ??= known());
    const { size } = values;
    const isKnown = values.add(type, value);
    if (values.size > size) this.pairs.push([type, value]);
    return isKnown;
  }

  find(text: string): Finding[] {
    return this.#values === undefined ? [] : this.#values.find(text);
  }

  get size(): number {
    return this.pairs.length;
  }
}
