import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { until } from '../../test/platform.ts';
import { createLog } from '../log.ts';
import { diskReserve } from './reserve.ts';

const MiB = 1024 * 1024;
const onlyRoot = { skip: process.getuid?.() === 0 ? false : 'only root may mount a small disk' };

test('on a full disk a note gets some of the reserve, a removal all of it, and other writes nothing', onlyRoot, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'paddock-reserve-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=80m', 'paddock-reserve', folder]);
  const reserve = diskReserve(folder, createLog('silent'));
  t.after(async () => {
    await reserve.close();
    execFileSync('umount', ['--lazy', folder]);
    rmSync(folder, { recursive: true });
  });
  const file = join(folder, 'reserve');
  const size = () => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  await until('a tenth of the disk is kept', async () => size() === 8 * MiB);
  fill(join(folder, 'filler'));

  const write = (name: string, megabytes: number) => writeFile(join(folder, name), Buffer.alloc(megabytes * MiB, 1));
  await assert.rejects(write('upload', 1), { code: 'ENOSPC' });
  assert.equal(size(), 8 * MiB, 'nobody else gets any of it');
  await reserve.withRoom('note', () => write('note', 1));
  await assert.rejects(
    reserve.withRoom('note', () => write('notes', 6)),
    { code: 'ENOSPC' },
  );
  assert.equal(size(), 4 * MiB, 'half of it is left for removals');
  await reserve.withRoom('removal', () => write('removal', 3));
  assert.ok(size() < 4 * MiB);
});

/** Fills the disk to the last block. */
function fill(file: string) {
  for (const bytes of [MiB, 64 * 1024, 4096])
    try {
      for (let n = 0; n < 1000; n++) appendFileSync(file, Buffer.alloc(bytes, 1));
    } catch (error) {
      assert.equal((error as NodeJS.ErrnoException).code, 'ENOSPC');
    }
  assert.throws(() => writeFileSync(`${file}.more`, 'x'), { code: 'ENOSPC' });
}
