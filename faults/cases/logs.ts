import type { TestContext } from 'node:test';
import { type Platform, startPlatform } from '../../apps/server/test/platform.ts';
import type { Fault } from '../fault.ts';
import { cutEverySecond, floodBeside } from '../log-fire.ts';

export const faults: Fault[] = [
  {
    id: 'log-reader-cut-every-second',
    fault: "1,000 lines a second for a minute, the reader's WebSocket cut every second",
    expected: 'each line once, in order',
    run: () => onPlatform((platform) => cutEverySecond(platform, 60)),
  },
  {
    id: 'log-flood-beside-others',
    fault: '10,000 lines a second from one agent for a minute',
    expected: "nothing lost, other agents' lines under a second late, server memory bounded",
    run: () => onPlatform((platform) => floodBeside(platform, 60)),
  },
];

async function onPlatform(run: (platform: Platform) => Promise<string>): Promise<string> {
  const closers: (() => unknown)[] = [];
  const scope = { after: (close: () => unknown) => void closers.push(close) } as unknown as TestContext;
  try {
    return await run(await startPlatform(scope));
  } finally {
    for (const close of closers.reverse()) await close();
  }
}
