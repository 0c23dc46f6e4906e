import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApi } from '../../../../test/server.ts';

test('a team keeps a register of providers, which others do not see', async (t) => {
  const { person } = await startApi(t);
  const [ada, eve] = [await person(), await person()];
  assert.deepEqual(await ada.api.modelProviders.list(), { providers: [], seen: [] });
  const openai = { provider: 'OpenAI', region: 'eu', agreement: 'dpa' as const, note: 'signed in May' };
  const saved = await ada.api.modelProviders.set({ providers: [openai, { provider: 'models.example.com', agreement: 'none' }] });
  assert.deepEqual(saved.providers, [
    { provider: 'models.example.com', region: '', agreement: 'none', note: '' },
    { ...openai, provider: 'openai' },
  ]);
  assert.deepEqual(await ada.api.modelProviders.list(), { ...saved, seen: [] });
  assert.deepEqual(await eve.api.modelProviders.list(), { providers: [], seen: [] });
  await assert.rejects(ada.api.modelProviders.set({ providers: [openai, { ...openai, provider: 'openai' }] }), { code: 'input_invalid' });
  assert.deepEqual((await ada.api.modelProviders.set({ providers: [] })).providers, []);
});
