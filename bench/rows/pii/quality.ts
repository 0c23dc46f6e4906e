import { measureQuality } from '../../pii/quality.ts';
import type { Row } from '../../row.ts';

export const row: Row = {
  name: 'pii/quality',
  seconds: 60,
  async run(report) {
    const { detect } = await import('@paddock/pii');
    await measureQuality(detect, report);
  },
};
