import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { appendFileSync, copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { zstdCompressSync } from 'node:zlib';
import { BackupRefused, type DatabaseType } from '../driver.ts';
import { writeBackup } from '../process/write-backup.ts';
import { type Bench, fill, never } from './bench.ts';

const asRoot = process.getuid?.() === 0;

/** Backups and their restoration. */
export function backupTests(bench: () => Bench): void {
  test('a backup restored gives back what was there, and nothing of what came later', async (t) => {
    const { driver, start, spec, use, backupFile } = bench();
    const address = await start('origin');
    const then = await use('origin', address, (client) => fill(client, 200, 'then'));
    const file = backupFile('origin/one');
    const begun = performance.now();
    const backup = await driver.backup(spec('origin'), address, { file, signal: never });
    t.diagnostic(`backup: ${Math.round(performance.now() - begun)} ms, ${backup.size_bytes} bytes`);
    const content = readFileSync(file);
    assert.equal(content.length, backup.size_bytes);
    assert.equal(createHash('sha256').update(content).digest('hex'), backup.sha256);
    assert.equal(backup.version, address.version);
    assert.deepEqual(readdirSync(dirname(file)), ['one']);

    await use('origin', address, async (client) => {
      await fill(client, 100, 'later');
      await client.put('new', 'entry');
    });
    const back = performance.now();
    const restored = await driver.restore(spec('origin'), { file, sha256: backup.sha256 }, never);
    t.diagnostic(`restore: ${Math.round(performance.now() - back)} ms`);
    assert.deepEqual(restored, address);
    assert.deepEqual(await use('origin', restored, (client) => client.read()), then);
    await driver.stop('origin');
    assert.deepEqual(await use('origin', await start('origin'), (client) => client.read()), then);
  });

  test('a backup opens in another database of the project, with that one’s own password, be it new or not', async () => {
    const { driver, start, spec, use, backupFile, storeOf } = bench();
    const address = await start('origin');
    const content = await use('origin', address, (client) => client.read());
    const file = backupFile('origin/two');
    const { sha256 } = await driver.backup(spec('origin'), address, { file, signal: never });
    for (const round of [1, 2]) {
      const other = await driver.restore(spec('other'), { file, sha256 }, never);
      assert.notEqual(other.port, address.port);
      assert.deepEqual(await use('other', other, (client) => client.read()), content, `round ${round}`);
      assert.deepEqual(readdirSync(storeOf('other')), ['data']);
      await use('other', other, (client) => client.put('of', 'its own'));
    }
    assert.deepEqual(await use('origin', address, (client) => client.read()), content);
    await driver.remove('other');
  });

  test('a backup taken under write load holds every entry acknowledged before it began', async () => {
    const { driver, start, spec, use, backupFile } = bench();
    const address = await start('origin');
    const acknowledged: string[] = [];
    const loaded = { going: true };
    const writing = use('origin', address, async (client) => {
      for (let n = 0; loaded.going && n < 100_000; n++) {
        await client.put(`during-${n}`, 'load');
        acknowledged.push(`during-${n}`);
      }
    });
    while (acknowledged.length < 50) await new Promise((done) => setTimeout(done, 5));
    const before = [...acknowledged];
    const file = backupFile('origin/loaded');
    const { sha256 } = await driver.backup(spec('origin'), address, { file, signal: never });
    loaded.going = false;
    await writing;
    const restored = await driver.restore(spec('origin'), { file, sha256 }, never);
    const found = new Set((await use('origin', restored, (client) => client.read())).map(([key]) => key));
    assert.deepEqual(
      before.filter((key) => !found.has(key)),
      [],
    );
  });

  test('a damaged, cut, missing or foreign file is refused, and the server goes on as it was', async () => {
    const { driver, type, start, spec, use, serverOf, backupFile, storeOf, dataDir } = bench();
    const address = await start('origin');
    const content = await use('origin', address, (client) => client.read());
    const good = backupFile('origin/one');
    const sha256 = shaOf(good);
    const pid = serverOf('origin');

    const flipped = backupFile('origin/flipped');
    const bytes = readFileSync(good);
    bytes[Math.floor(bytes.length / 2)]! ^= 1;
    writeFileSync(flipped, bytes);
    const cut = backupFile('origin/cut');
    copyFileSync(good, cut);
    truncateSync(cut, bytes.length - 1000);
    const longer = backupFile('origin/longer');
    copyFileSync(good, longer);
    appendFileSync(longer, 'x');
    const noise = backupFile('origin/noise');
    writeFileSync(noise, randomBytes(5_000));
    const noTar = backupFile('origin/no-tar');
    writeFileSync(noTar, zstdCompressSync(randomBytes(20_000)));
    const foreign = backupFile('origin/foreign');
    await foreignBackup(foreign, type === 'redis' ? 'postgresql' : 'redis', dataDir);
    const empty = backupFile('origin/empty');
    await foreignBackup(empty, type, dataDir);

    // The checksums of the last five files match; only their content shows that they are foreign.
    const cases = [
      { file: flipped, sha256 },
      { file: cut, sha256 },
      { file: longer, sha256 },
      { file: backupFile('origin/nowhere'), sha256 },
      { file: cut, sha256: shaOf(cut) },
      { file: noise, sha256: shaOf(noise) },
      { file: noTar, sha256: shaOf(noTar) },
      { file: foreign, sha256: shaOf(foreign) },
      { file: empty, sha256: shaOf(empty) },
    ];
    for (const backup of cases) {
      await assert.rejects(driver.restore(spec('origin'), backup, never), (error) => {
        assert.ok(error instanceof BackupRefused, `${backup.file}: ${error}`);
        return true;
      });
    }
    assert.equal(serverOf('origin'), pid, 'it was not even restarted');
    assert.deepEqual(readdirSync(join(storeOf('origin'), '..')).sort(), ['room.json', 'settings', 'store']);
    assert.deepEqual(await use('origin', address, (client) => client.read()), content);
  });

  test('a backup that is called off leaves nothing, and neither does a restore', async () => {
    const { driver, start, spec, backupFile, storeOf } = bench();
    const address = await start('origin');
    const called = AbortSignal.abort();
    await assert.rejects(driver.backup(spec('origin'), address, { file: backupFile('called/off'), signal: called }), {
      name: 'AbortError',
    });
    assert.deepEqual(readdirSync(dirname(backupFile('called/off'))), []);
    const good = backupFile('origin/one');
    await assert.rejects(driver.restore(spec('origin'), { file: good, sha256: shaOf(good) }, called), { name: 'AbortError' });
    assert.deepEqual(readdirSync(join(storeOf('origin'), '..')).sort(), ['room.json', 'settings', 'store']);
  });

  test('a full disk during a backup is said plainly, and leaves the last good file and no other', {
    skip: !asRoot && 'mounting takes root',
  }, async () => {
    const { driver, start, spec, use, backupFile } = bench();
    const address = await start('origin');
    const small = dirname(backupFile('small/one'));
    mkdirSync(small, { recursive: true });
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=48m', 'paddock-test', small], { timeout: 5_000 });
    try {
      const { sha256 } = await driver.backup(spec('origin'), address, { file: join(small, 'one'), signal: never });
      fillDisk(join(small, 'filler'));
      const begun = performance.now();
      await assert.rejects(driver.backup(spec('origin'), address, { file: join(small, 'two'), signal: never }), /the disk is full/);
      assert.ok(performance.now() - begun < 10_000);
      assert.deepEqual(readdirSync(small).sort(), ['filler', 'one']);
      assert.equal(shaOf(join(small, 'one')), sha256);
      await use('origin', address, (client) => client.put('works', 'on'));
    } finally {
      execFileSync('umount', [small], { timeout: 5_000 });
    }
    assert.equal(existsSync(join(small, 'one')), false);
  });
}

const shaOf = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex');

/** A file like the driver's backups, with hardly any content. */
async function foreignBackup(file: string, type: DatabaseType, dataDir: string): Promise<void> {
  const path = join(dataDir, 'foreign');
  mkdirSync(path, { recursive: true });
  const room = { path, store: path, data: path, settings: path, owner: undefined };
  const extra = [{ name: 'unknown', content: 'content' }];
  await writeBackup(
    { file, room, manifest: { format: 1, type, version: '1' } },
    (pack) => pack([{ folder: path, include: [], extra }]),
    never,
  );
}

function fillDisk(file: string): void {
  for (const piece of [1024 * 1024, 4096]) {
    try {
      for (let n = 0; n < 10_000; n++) appendFileSync(file, Buffer.alloc(piece));
    } catch (error) {
      assert.equal((error as NodeJS.ErrnoException).code, 'ENOSPC');
    }
  }
}
