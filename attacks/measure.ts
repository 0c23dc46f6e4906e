// Measures slow clients at full size: node attacks/measure.ts [connections of one address] [idle connections] [requests of others]
import { startPlatform } from '../apps/server/test/platform.ts';
import { siege } from './http/siege.ts';
import { tableText } from './http/table.ts';

const [one = 1_000, idle = 10_000, visits = 100] = process.argv.slice(2).map(Number);
const closers: (() => unknown)[] = [];
try {
  const platform = await startPlatform({ after: (close: () => unknown) => void closers.push(close) });
  const rows = await siege(platform, { one, idle, visits });
  console.log(tableText('Slow clients of the gateway', rows.gateway));
  console.log(tableText('Slow clients of the API', rows.api));
} finally {
  for (const close of closers.reverse()) await close();
}
