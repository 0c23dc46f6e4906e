import { comparePeers } from '../../compare-peers.ts';
import { cpuPerThousand } from '../../load/cpu-per-thousand.ts';
import { startLiveAgent } from '../../peers/agents.ts';
import type { Row } from '../../row.ts';
import { inFrontOf } from '../../sides.ts';

const sockets = 100;

export const row: Row = {
  name: 'gateway/web-sockets',
  seconds: 35,
  run: (report) =>
    inFrontOf(
      () => startLiveAgent({ places: 1, everyMs: 1000 }),
      (sides) =>
        comparePeers(
          sides,
          {
            rounds: 3,
            measure: async (side) => {
              const load = { program: 'sockets.mjs', hosts: sides.hosts, connections: sockets, ms: 2000 };
              return (await cpuPerThousand(side, load)).cpuMs;
            },
            figures: () => [
              {
                work: `gateway, small messages and their echoes on ${sockets} WebSockets`,
                unit: 'ms of CPU per 1,000 messages and 1,000 echoes',
                better: 'less',
                of: (cpuMs) => cpuMs,
                digits: 1,
              },
            ],
          },
          report,
        ),
      { isLive: true },
    ),
};
