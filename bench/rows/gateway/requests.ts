import { join } from 'node:path';
import { comparePeers } from '../../compare-peers.ts';
import { requestsPerCpu } from '../../load/wrk.ts';
import { startWebAgent } from '../../peers/agents.ts';
import type { Row } from '../../row.ts';
import { inFrontOf } from '../../sides.ts';

const post = join(import.meta.dirname, '../../load/post.lua');

const kinds = [
  {
    work: 'gateway, 200 bytes of JSON, traffic counted',
    path: '/',
    rounds: 5,
    seconds: 3,
    atLeast: { nginx: 0.6, caddy: 2.5 },
    note: 'the stretch goals are 0.75× of nginx and 3.5× of Caddy',
  },
  {
    work: 'gateway, answers of 64 kB',
    path: '/large',
    rounds: 3,
    seconds: 2,
    note: 'nginx with its default buffers; with `proxy_buffers 4 32k` it served 1.9 times as many when that was tried',
  },
  { work: 'gateway, posts of 2 kB', path: '/', script: post, rounds: 3, seconds: 2 },
];

export const row: Row = {
  name: 'gateway/requests',
  seconds: 115,
  run: (report) =>
    inFrontOf(startWebAgent, async (sides) => {
      for (const { work, path, script, rounds, seconds, ...goal } of kinds)
        await comparePeers(
          sides,
          {
            rounds,
            measure: (side) => requestsPerCpu({ ...side, path, host: sides.hosts[0]! }, seconds, script ? { script } : {}),
            figures: () => [{ work, unit: 'requests per second of CPU', better: 'more', of: (count) => count, ...goal }],
          },
          report,
        );
    }),
};
