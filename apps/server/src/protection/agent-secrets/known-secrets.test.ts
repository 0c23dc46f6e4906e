import assert from 'node:assert/strict';
import { test } from 'node:test';
import { knownSecrets } from './known-secrets.ts';

const world = () => {
  const state = { secrets: ['first-secret'], reads: 0, ms: 0 };
  const read = async () => {
    state.reads += 1;
    return [...state.secrets];
  };
  const known = knownSecrets(read, () => state.ms);
  const blanked = async (text: string) => (await known.readBlanking('team_1', 'prj_1')).text(text);
  return { state, known, blanked };
};

test('a secret that was replaced is blanked for ten more minutes', async () => {
  const { state, known, blanked } = world();
  await blanked('');
  state.secrets = ['other-secret'];
  known.changed('team_1');
  assert.equal(await blanked('first-secret other-secret'), '*** ***');
  state.ms = 11 * 60_000;
  await blanked('');
  assert.equal(await blanked('first-secret other-secret'), 'first-secret ***');
});

test('secrets are read once in a while, and at once after a change of their team', async () => {
  const { state, known, blanked } = world();
  for (let n = 0; n < 3; n++) await blanked('');
  assert.equal(state.reads, 1);
  known.changed('team_2');
  await blanked('');
  assert.equal(state.reads, 1);
  state.secrets = ['other-secret'];
  known.changed('team_1');
  assert.equal(await blanked('other-secret'), '***');
  assert.equal(state.reads, 2);
});

test('what was read while something changed is not remembered', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  let secrets = ['first-secret'];
  const known = knownSecrets(async () => {
    const read = [...secrets];
    await promise;
    return read;
  });
  const first = known.readBlanking('team_1', 'prj_1');
  secrets = ['other-secret'];
  known.changed('team_1');
  resolve();
  await first;
  assert.equal((await known.readBlanking('team_1', 'prj_1')).text('other-secret'), '***');
});

test('a read that failed is repeated', async () => {
  let isDown = true;
  const known = knownSecrets(async () => {
    if (isDown) throw new Error('the database is away');
    return ['first-secret'];
  });
  await assert.rejects(known.readBlanking('team_1', 'prj_1'), /away/);
  isDown = false;
  assert.equal((await known.readBlanking('team_1', 'prj_1')).text('first-secret'), '***');
});

test('a read that never ends holds up nobody for long', async () => {
  let ms = 0;
  let reads = 0;
  const never = new Promise<string[]>(() => undefined);
  const known = knownSecrets(
    async () => ((reads += 1) === 1 ? never : ['first-secret']),
    () => ms,
  );
  void known.readBlanking('team_1', 'prj_1');
  ms = 6_000;
  assert.equal((await known.readBlanking('team_1', 'prj_1')).text('first-secret'), '***');
});
