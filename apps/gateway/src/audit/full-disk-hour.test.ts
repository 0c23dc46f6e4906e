import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fullDiskHour } from '../../test/full-disk-hour.ts';
import { needsRoot, smallDisk } from '../../test/small-disk.ts';

/** A twelfth of the hour that `npm run test:faults -- disk-full-hour` does whole, on a twelfth of the disk. */
const share = Number(process.env.HOUR_SHARE ?? 1 / 12);

test('an hour of 20 requests a second on a full disk, shortened: all are served, and all are on record afterwards', async (t) => {
  const disk = smallDisk(Math.ceil(2_112 * share));
  if (disk === undefined) return needsRoot(t);
  const figures = await fullDiskHour(t, disk, Math.floor(72_000 * share));
  t.after(() => disk.unmount());
  t.diagnostic(JSON.stringify(figures));
  assert.ok(figures.withoutBody > 0.9 * figures.exchanges, JSON.stringify(figures));
});
