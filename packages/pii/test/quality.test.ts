import assert from 'node:assert/strict';
import { test } from 'node:test';
import { detect } from '../src/index.ts';
import { piiTypes } from '../src/types.ts';
import { readClean } from '../test-set/clean.ts';
import { makeSet } from '../test-set/make.ts';
import { readSet } from '../test-set/read.ts';
import { minF1 } from '../test-set/regression.ts';
import { type Counts, computeRates, score } from '../test-set/score.ts';

// Micro averages; like those of each type, a little below the current results.
const minMicroF1 = 0.97;
const maxAlarmedCleanTexts = 0.04;

const heldOut = score(readSet('held-out'), ({ text }) => detect(text));

test('of the texts that no rule was tuned on, nearly all personal data of each type is found, and little else', () => {
  const none: Counts = { hits: 0, misses: 0, falseAlarms: 0 };
  for (const type of piiTypes) assertAtLeast(type, computeRates(heldOut.types.get(type) ?? none).f1, minF1[type]);
  assertAtLeast('all types', computeRates(heldOut.all).f1, minMicroF1);
});

test('in most texts without personal data nothing is found, though their numbers and words look like some', () => {
  const share = heldOut.alarmedCleanTexts / heldOut.cleanTexts;
  assert.ok(share <= maxAlarmedCleanTexts, `something was found in ${heldOut.alarmedCleanTexts} of ${heldOut.cleanTexts} clean texts`);
});

// The current results.
const maxFalseFindings = { tuned: 3, blind: 22 };

test('in clean texts full of products, places, log lines and numbers hardly anything is found, also in those that no rule was tuned on', () => {
  for (const half of ['tuned', 'blind'] as const) {
    const texts = readClean(half);
    assert.ok(texts.length > 80, `${half} has ${texts.length} texts`);
    const found = texts.flatMap(({ id, text }) => detect(text).map(({ type, start, end }) => `${id} ${type} ${text.slice(start, end)}`));
    assert.ok(found.length <= maxFalseFindings[half], `${found.length} findings in clean texts:\n${found.join('\n')}`);
  }
});

test('the labelled set is what its texts and templates make, and every span lies within its text', () => {
  const made = makeSet();
  assert.deepEqual(readSet('train'), made.train, 'run node packages/pii/test-set/make.ts');
  assert.deepEqual(readSet('held-out'), made.heldOut, 'run node packages/pii/test-set/make.ts');
  for (const { id, text, spans } of [...made.train, ...made.heldOut])
    for (const { start, end } of spans) {
      assert.ok(start < end && end <= text.length, id);
      assert.equal(text.slice(start, end), text.slice(start, end).trim(), `${id}: a span begins or ends with a blank`);
    }
});

test('at least a quarter of the labelled texts is clean, and most languages of the cues are in both halves', () => {
  for (const half of ['train', 'held-out'] as const) {
    const texts = readSet(half);
    assert.ok(texts.filter(({ spans }) => spans.length === 0).length * 4 > texts.length);
    assert.deepEqual([...new Set(texts.map(({ lang }) => lang))].sort(), ['de', 'en', 'es', 'fr', 'it', 'nl', 'pt']);
  }
});

function assertAtLeast(what: string, f1: number, least: number) {
  assert.ok(f1 >= least, `F1 of ${what} is ${f1.toFixed(3)}, below ${least}`);
}
