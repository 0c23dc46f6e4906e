import { fullDiskHour, shareOfHour } from '../../apps/gateway/test/full-disk-hour.ts';
import { largerDisk } from '../../apps/gateway/test/small-disk.ts';
import type { Fault } from '../fault.ts';

const hour = shareOfHour(1);

async function wholeHour(): Promise<string> {
  const disk = largerDisk(hour.diskMb);
  try {
    const figures = await fullDiskHour(disk, hour);
    return Object.entries(figures)
      .map(([name, figure]) => `${name} ${figure}`)
      .join(', ');
  } finally {
    disk.unmount();
  }
}

export const faults: Fault[] = [
  {
    id: 'disk-full-hour',
    fault: 'others fill the disk of a gateway, and its database is away, for an hour of 20 requests a second',
    expected:
      'all 72,000 are served; with the disk still full, all are on record once the database is back, without bodies where it says so',
    run: wholeHour,
  },
];
