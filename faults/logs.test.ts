import { test } from 'node:test';
import { startPlatform } from '../apps/server/test/platform.ts';
import { sized } from '../scripts/test/size.ts';
import { cutEverySecond, floodBeside } from './log-fire.ts';

test('under fire each log line arrives once and in order, and one agent does not hold up the log of another', {
  timeout: 180_000,
}, async (t) => {
  const platform = await startPlatform(t);
  t.diagnostic(await cutEverySecond(platform, sized({ short: 4, long: 6 })));
  t.diagnostic(await floodBeside(platform, sized({ short: 3, long: 4 })));
});
