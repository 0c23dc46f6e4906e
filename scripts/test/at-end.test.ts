import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atEnd, endAll } from './at-end.ts';

test('a cleanup that fails keeps no other from running, and is told', async () => {
  const done: string[] = [];
  const clean = (name: string) => atEnd(async () => void done.push(name));
  const fail = (message: string) => atEnd(async () => assert.fail(message));
  clean('first');
  fail('the port is taken');
  clean('last');
  await assert.rejects(endAll(), /the port is taken/);
  assert.deepEqual(done, ['last', 'first']);
  fail('one');
  fail('other');
  await assert.rejects(endAll(), /2 cleanups failed/);
});
