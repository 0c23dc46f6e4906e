import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLog } from '../log.ts';
import { createIsolatedLoop } from './isolated-loop.ts';

const coded = (code: string) => Object.assign(new Error(code), { code });

test('a row that fails keeps no other row from its turn, and is told once until it goes well', async () => {
  let told = '';
  const each = createIsolatedLoop(createLog('warn', { write: (line) => (told += line) }), 'looking after it');
  const done: string[] = [];
  let isBroken = true;
  const turn = () =>
    each(
      ['a', 'b', 'c'],
      (id) => id,
      async (id) => {
        if (id === 'b' && isBroken) throw new Error('of b alone');
        done.push(id);
      },
    );
  await turn();
  await turn();
  assert.deepEqual(done, ['a', 'c', 'a', 'c']);
  assert.equal(told.match(/of b alone/g)?.length, 2, 'once, as message and as stack');
  isBroken = false;
  await turn();
  isBroken = true;
  await turn();
  assert.equal(told.match(/of b alone/g)?.length, 4);
});

test('a database that is away ends the turn instead of being asked for each row', async () => {
  const each = createIsolatedLoop(createLog('silent'), 'looking after it');
  let asked = 0;
  const rows = Array.from({ length: 1000 }, (_, n) => String(n));
  const turn = each(
    rows,
    (id) => id,
    async () => {
      asked += 1;
      throw coded('ECONNREFUSED');
    },
  );
  await assert.rejects(turn, /ECONNREFUSED/);
  assert.equal(asked, 3);
});

test('a row that finds the disk full is tried again with some of the reserve', async () => {
  let made = 0;
  const reserve = {
    async withRoom<T>(_need: string, work: () => PromiseLike<T>) {
      try {
        return await work();
      } catch {
        made += 1;
        return await work();
      }
    },
    makeRoom: () => true,
    close: async () => undefined,
  };
  const each = createIsolatedLoop(createLog('silent'), 'looking after it', { reserve });
  let tries = 0;
  await each(
    ['a'],
    (id) => id,
    async () => {
      tries += 1;
      if (tries === 1) throw coded('53100');
    },
  );
  assert.deepEqual([made, tries], [1, 2]);
});
