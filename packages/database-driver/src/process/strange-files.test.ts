import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdirSync, mkdtempSync, openSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { after, test } from 'node:test';
import { BackupRefused } from '../driver.ts';
import { postgresUnpacked } from './postgres/backup.ts';
import { packFolder } from './tar.ts';

const home = mkdtempSync(join(tmpdir(), 'paddock-strange-store-'));
after(() => rmSync(home, { recursive: true, force: true }));

const things: [what: string, put: (path: string) => void][] = [
  ['a FIFO', (path) => execFileSync('mkfifo', [path])],
  ['a link to a device', (path) => symlinkSync('/dev/zero', path)],
  ['a folder', (path) => mkdirSync(path)],
  [
    'a file of 3 GiB without content',
    (path) => {
      writeFileSync(path, '');
      truncateSync(path, 3 * 1024 ** 3);
    },
  ],
];
for (const [at, [what, put]] of things.entries())
  test(`${what} in the place of a file that a restore looks into refuses the backup`, async () => {
    const folder = join(home, `unpacked-${at}`);
    mkdirSync(folder);
    const file = join(folder, 'PG_VERSION');
    put(file);
    // If the driver blocks on the FIFO, this unblocks it. Otherwise the test could not end.
    const release = setTimeout(() => closeSync(openSync(file, constants.O_RDWR | constants.O_NONBLOCK)), 20_000);
    try {
      await assert.rejects(postgresUnpacked(folder), (error) => error instanceof BackupRefused && /cannot be used/.test(error.message));
    } finally {
      clearTimeout(release);
    }
  });

test('a backup never packs the folder that a link in the place of the store leads to', async () => {
  const secret = join(home, 'secret');
  mkdirSync(secret);
  writeFileSync(join(secret, 'key'), 'CANARY');
  symlinkSync(secret, join(home, 'data'));
  const packed = new PassThrough();
  const pieces: Buffer[] = [];
  packed.on('data', (piece: Buffer) => pieces.push(piece));
  await assert.rejects(
    packFolder({ folder: join(home, 'data'), owner: undefined }, { to: packed, signal: AbortSignal.timeout(20_000) }),
    /is a link/,
  );
  assert.ok(!Buffer.concat(pieces).includes('CANARY'));
});
