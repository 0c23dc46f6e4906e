import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dictionary } from '@zxcvbn-ts/language-common';
import { passwordRefusal } from './password-refusal.ts';

const whose = { email: 'ada@example.com', name: 'Ada' };

test('the 3,000 most common passwords that are long enough are refused, in upper case too', async () => {
  const common = (dictionary['passwords-common'] ?? []).filter((one) => one.length >= 8).slice(0, 3000);
  assert.equal(common.length, 3000);
  const taken: string[] = [];
  for (const one of common.flatMap((one) => [one, one.toUpperCase()])) if ((await passwordRefusal(one, whose)) === null) taken.push(one);
  assert.deepEqual(taken, []);
});

test('long, odd and long-winded passwords are taken', async () => {
  for (const one of ['correct horse', '🦄🦄🦄🦄🦄🦄🦄🦄', 'x'.repeat(1024), '        ', 'Paddock stands for a fence'])
    assert.equal(await passwordRefusal(one, whose), null, one);
});
