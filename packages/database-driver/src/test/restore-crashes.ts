import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Bench, never } from './bench.ts';

const ID = 'crash';
const OLD: [string, string][] = [['content', 'old']];
const NEW: [string, string][] = [['content', 'new']];
const WAIT_MS = 20_000;

const old = { content: 'old' } as const;

/** Two contents of one database and a backup of the new content. The old content is in place. */
function cutOff(bench: () => Bench) {
  let backup: { file: string; sha256: string };
  const room = (name: string) => (name === 'data' ? join(bench().storeOf(ID), 'data') : join(bench().storeOf(ID), '..', name));
  const aside = (name: string) => join(bench().dataDir, name);

  before(async () => {
    const { driver, start, spec, use, backupFile } = bench();
    for (const content of ['new', 'old']) {
      const address = await start(ID);
      await use(ID, address, (client) => client.put('content', content));
      if (content === 'new') {
        const file = backupFile(ID);
        const { sha256 } = await driver.backup(spec(ID), address, { file, signal: never });
        backup = { file, sha256 };
      }
      await driver.stop(ID);
      copy(room('data'), aside(content));
    }
  });

  /**
   * Creates the folders that a restore would have left: names with their contents, optionally with corrupted or missing files of the
   * server.
   */
  async function layOut(folders: Record<string, { content: 'old' | 'new'; state?: 'ruined' | 'partial' }>): Promise<void> {
    await bench().driver.stop(ID);
    await rm(room('data'), { recursive: true, force: true });
    for (const [name, { content, state }] of Object.entries(folders)) {
      copy(aside(content), room(name));
      if (state === 'ruined') ruin(room(name));
      if (state === 'partial') await rm(join(room(name), readdirSync(room(name))[0]!), { recursive: true });
    }
  }

  async function expectAfterStart(expected: [string, string][]): Promise<void> {
    const { start, use, storeOf } = bench();
    const address = await start(ID);
    assert.deepEqual(await use(ID, address, (client) => client.read()), expected);
    assert.deepEqual(readdirSync(storeOf(ID)), ['data']);
    assert.deepEqual(readdirSync(room('')).sort(), ['room.json', 'settings', 'store']);
  }

  return { layOut, expectAfterStart, room, backup: () => backup };
}

/** Wherever a restore was interrupted, the next start finds one content or the other, complete. */
export function restoreLeftoverTests(bench: () => Bench): void {
  const { layOut, expectAfterStart, room, backup } = cutOff(bench);
  const cases = [
    {
      when: 'while the copy was being unpacked, the old content is there',
      folders: { data: old, restoring: { content: 'new', state: 'partial' } },
      expected: OLD,
    },
    { when: 'before the old content was moved away, it is there', folders: { data: old, restoring: { content: 'new' } }, expected: OLD },
    { when: 'between the two moves, the old content comes back', folders: { previous: old, restoring: { content: 'new' } }, expected: OLD },
    {
      when: 'before the new content had proved itself, it does so now',
      folders: { previous: old, data: { content: 'new' } },
      expected: NEW,
    },
    {
      when: 'while the old content was being deleted, the new one is there',
      folders: { data: { content: 'new' }, discarded: { content: 'old', state: 'partial' } },
      expected: NEW,
    },
    {
      when: 'and no server starts on the new content, the old one comes back',
      folders: { previous: old, data: { content: 'new', state: 'ruined' } },
      expected: OLD,
    },
    {
      when: 'while the failed content was being put aside, the old one comes back',
      folders: { previous: old, discarded: { content: 'new', state: 'ruined' } },
      expected: OLD,
    },
  ] as const;
  for (const { when, folders, expected } of cases) {
    test(`cut off ${when}`, async () => {
      await layOut(folders);
      await expectAfterStart([...expected]);
    });
  }

  test('another restore after one that was cut off decides that one first', async () => {
    const { driver, spec, use } = bench();
    await layOut({ previous: old, data: { content: 'new', state: 'ruined' } });
    const address = await driver.restore(spec(ID), backup(), never);
    assert.deepEqual(await use(ID, address, (client) => client.read()), NEW);
    assert.deepEqual(readdirSync(room('')).sort(), ['room.json', 'settings', 'store']);
  });
}

/** Whenever the platform is killed during a restore, one content or the other is left, complete. */
export function restoreCrashTests(bench: () => Bench): void {
  const { layOut, expectAfterStart, room, backup } = cutOff(bench);
  const moments: [string, () => boolean, [string, string][][]][] = [
    ['while the copy is being unpacked', () => existsSync(room('restoring')), [OLD]],
    ['as soon as the old content was moved away', () => existsSync(room('previous')), [OLD, NEW]],
    [
      'when the server has begun to run on the new content',
      () => existsSync(room('previous')) && existsSync(room('data')) && bench().serverOf(ID) !== undefined,
      [OLD, NEW],
    ],
  ];
  for (const [moment, hasCome, expected] of moments) {
    test(`kill -9 of the platform ${moment} leaves a whole content`, async (t) => {
      const { elsewhere, spec, start, use } = bench();
      await layOut({ data: old });
      await start(ID);
      const platform = await elsewhere(`
        console.log('begins');
        await driver.restore(${JSON.stringify(spec(ID))}, ${JSON.stringify(backup())}, never);`);
      for (const deadline = Date.now() + WAIT_MS; !hasCome(); await sleep(1)) assert.ok(Date.now() < deadline, 'the moment never came');
      platform.kill('SIGKILL');
      await once(platform, 'exit');
      const found = await use(ID, await start(ID), (client) => client.read());
      assert.ok(expected.map(String).includes(String(found)), `found ${JSON.stringify(found)}`);
      t.diagnostic(`found the ${found[0]?.[1]} content`);
      await expectAfterStart(found);
    });
  }
}

const copy = (from: string, to: string) => void execFileSync('cp', ['-a', from, to], { timeout: 30_000 });

/** Damages the content so that no server starts on it. */
function ruin(folder: string): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) writeFileSync(join(entry.parentPath, entry.name), 'nothing that a server can read');
  }
}
