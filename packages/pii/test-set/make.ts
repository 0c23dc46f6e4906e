// Makes train.jsonl and held-out.jsonl: node packages/pii/test-set/make.ts
// Texts contain marks: ⟦N:Ada Byron⟧ is a name, ⟦?A:Leeds⟧ may be found or not. Templates also have slots: ‹N1›.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { dice } from './make/dice.ts';
import { hash, type Marked, readTexts } from './make/texts.ts';
import { createValueMaker } from './make/values.ts';
import type { Labelled } from './read.ts';

const types = {
  N: 'Name',
  A: 'Address',
  E: 'Email',
  P: 'Phone',
  S: 'SSN',
  C: 'Credit Card',
  I: 'IP Address',
  D: 'Date of Birth',
} as const;
const copiesOfTemplate = (lang: string) => (lang === 'en' ? 5 : 8);

/** Both halves of the set, as written to the files. */
export function makeSet(): { train: Labelled[]; heldOut: Labelled[] } {
  const halves: { train: Labelled[]; heldOut: Labelled[] } = { train: [], heldOut: [] };
  for (const text of written()) {
    // Texts that were written to see where rules fail cannot measure the rules.
    const isHeldOut = hash(text.id) % 2 === 1 && !text.id.startsWith('seen-');
    (isHeldOut ? halves.heldOut : halves.train).push(labelled(text));
  }
  let turn = 0;
  for (const { id, lang, kind, marked } of templates()) {
    // Two texts of one template are always in the same half. Otherwise the held-out half would measure memory.
    const half = turn++ % 2 === 0 ? 0 : 1;
    for (let copy = 1; copy <= copiesOfTemplate(lang); copy++) {
      const value = createValueMaker(lang, dice(hash(`${id}-${copy}`), half));
      const filled = marked.replace(/‹(\w+)›/g, (_, slot: string) => value(slot));
      (half ? halves.heldOut : halves.train).push(labelled({ id: `${id}-${copy}`, lang, kind, marked: filled }));
    }
  }
  return halves;
}

function labelled({ id, lang, kind, marked }: Marked): Labelled {
  const spans: Labelled['spans'] = [];
  let text = '';
  let from = 0;
  for (const mark of marked.matchAll(/⟦(\??)([A-Z]):([^⟦⟧]*)⟧/g)) {
    text += marked.slice(from, mark.index);
    const [whole, optional, letter, value] = mark as unknown as [string, string, keyof typeof types, string];
    const span = { type: types[letter], start: text.length, end: text.length + value.length };
    spans.push(optional ? { ...span, optional: true } : span);
    text += value;
    from = mark.index + whole.length;
  }
  text += marked.slice(from);
  if (/[⟦⟧‹›]/.test(text)) throw new Error(`${id} has a mark that is not closed: ${text}`);
  return { id, lang, kind, text, spans };
}

const written = () => readTexts('make/written/*.txt');
const templates = () => readTexts('make/templates/*.txt');

if (import.meta.main)
  for (const [name, texts] of Object.entries(makeSet())) {
    const file = name === 'train' ? 'train.jsonl' : 'held-out.jsonl';
    writeFileSync(join(import.meta.dirname, file), texts.map((text) => `${JSON.stringify(text)}\n`).join(''));
    console.log(`${file}: ${texts.length} texts, ${texts.filter(({ spans }) => spans.length === 0).length} clean`);
  }
