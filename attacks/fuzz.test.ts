import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fuzzAnswers } from './http/fuzz-answers.ts';
import { fuzzRequests } from './http/fuzz-requests.ts';

// The default seed is fixed, so that a failure is a change of ours. `node attacks/fuzz.ts` takes a new seed at each start.
const seed = Number(process.env['FUZZ_SEED'] ?? 1);

test('no damaged request is passed on that two servers would read differently', async (t) => {
  const accepted = await fuzzRequests(2_000, seed);
  t.diagnostic(`seed ${seed}: ${accepted} of 2000 were passed on`);
  assert.ok(accepted > 200, 'too few were passed on for this to mean anything');
});

test('no damaged answer is passed on that a strict client would refuse or read differently', async (t) => {
  const accepted = await fuzzAnswers(2_000, seed);
  t.diagnostic(`seed ${seed}: ${accepted} of 2000 were passed on`);
  assert.ok(accepted > 200, 'too few were passed on for this to mean anything');
});
