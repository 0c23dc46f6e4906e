import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fullDiskHour, shareOfHour } from '../../test/full-disk-hour.ts';
import { needsRoot, smallDisk } from '../../test/small-disk.ts';

test('five minutes of 20 requests a second on a twelfth of a disk that is full are all served, and all on record afterwards', async (t) => {
  const share = shareOfHour(1 / 12);
  const disk = smallDisk(share.diskMb);
  if (disk === undefined) return needsRoot(t);
  t.after(() => disk.unmount());
  const figures = await fullDiskHour(disk, share);
  t.diagnostic(JSON.stringify(figures));
  assert.ok(figures.without_body > 0.9 * figures.exchanges, 'records say that bodies are left out for lack of room');
});
