import assert from 'node:assert/strict';
import { test } from 'node:test';
import { run, scriptedApi } from '../databases/scripted-api.ts';

test('names for the shell are those that it reads as one word, and none if the server does not answer', async (t) => {
  const names = ['desk', 'two-desks', '$(touch /tmp/owned)', 'a b', '`id`', '-rf', 'desk;id'];
  const { url } = await scriptedApi(t, { 'GET /projects': () => ({ projects: names.map((name) => ({ name })), next_cursor: null }) });
  const { code, out } = await run(url, ['completion-values', 'projects']);
  assert.deepEqual([code, out], [0, 'desk\ntwo-desks\n']);
  const silent = await run('http://127.0.0.1:9', ['completion-values', 'projects']);
  assert.deepEqual([silent.code, silent.out.trim(), silent.notes], [0, '', '']);
});
