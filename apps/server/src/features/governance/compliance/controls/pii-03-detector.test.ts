import assert from 'node:assert/strict';
import { test } from 'node:test';
import { detect, type PiiType, piiTypes } from '@paddock/pii';
import { foundBy, runControl, statusOf } from '../../../../../test/controls.ts';
import { detectorControl } from './pii-03-detector.ts';

test('a detector that has lost a type is found with the figure of that type, and the one that runs passes', async () => {
  const types = new Set<PiiType>(piiTypes.filter((type) => type !== 'Credit Card'));
  const [lost, ...others] = await foundBy(detectorControl({ find: (text) => detect(text, { types }) }), '');
  assert.match(lost?.finding ?? '', /^F1 of Credit Card is 0\.000, below 0\.93/);
  assert.ok(others.every(({ id }) => id !== 'Credit Card'));
  const { looked_at, resources } = await runControl(detectorControl(), '');
  assert.match(looked_at, /^\d{3,} labelled values of 8 types in \d{3,} texts/);
  assert.deepEqual(
    resources.map(({ status }) => status),
    piiTypes.map(() => 'passed'),
  );
});

test('without its labelled texts the detector is not verified', async () => {
  const gone = () => {
    throw Object.assign(new Error('no such file'), { code: 'ENOENT' });
  };
  assert.equal(await statusOf(detectorControl({ texts: gone }), ''), 'unverified');
});
