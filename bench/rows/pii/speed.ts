import { measureSpeed } from '../../pii/speed.ts';
import type { Row } from '../../row.ts';

export const row: Row = {
  name: 'pii/speed',
  seconds: 10,
  run: async (report) => measureSpeed(report),
};
