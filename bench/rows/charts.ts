import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { below, type Row } from '../row.ts';
import { Skipped } from '../skipped.ts';

const executablePath = process.env.PADDOCK_BROWSER ?? '/usr/bin/chromium';

export const row: Row = {
  name: 'charts',
  seconds: 20,
  async run(report) {
    if (!existsSync(executablePath)) throw new Skipped(`there is no browser at ${executablePath}; on Debian: apt-get install chromium`);
    const { buildCharts, mountCharts } = await import('../../e2e/mount-charts.ts');
    const folder = await mkdtemp(join(tmpdir(), 'paddock-charts-'));
    try {
      buildCharts(folder);
      report(
        below({
          work: 'four charts of 10,000 points each shown, once the page has its code',
          unit: 'ms',
          ours: { values: await mountCharts(folder, { rounds: 20, executablePath }), digits: 1 },
          max: 30,
          note: 'until all four are on their canvases, in a headless Chromium',
        }),
      );
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};
