import assert from 'node:assert/strict';
import { detect, type PiiType } from '../src/index.ts';

/** The values of some types in a text, as written there. */
export const valuesOf = (text: string, ...types: PiiType[]): string[] =>
  detect(text)
    .filter(({ type }) => types.includes(type))
    .map(({ start, end }) => text.slice(start, end));

/** Checks that each text contains exactly the value between its brackets `«»`, or none if it has no brackets. */
export function holds(type: PiiType, texts: string[]): void {
  for (const marked of texts) {
    const text = marked.replace(/[«»]/g, '');
    const expected = [...marked.matchAll(/«([^»]*)»/g)].map((match) => match[1]!);
    assert.deepEqual(valuesOf(text, type), expected, marked);
  }
}
