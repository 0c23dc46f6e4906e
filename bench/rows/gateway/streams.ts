import { comparePeers } from '../../compare-peers.ts';
import { cpuPerThousand } from '../../load/cpu-per-thousand.ts';
import { startLiveAgent } from '../../peers/agents.ts';
import type { Row } from '../../row.ts';
import { inFrontOf } from '../../sides.ts';

const streams = 1000;
const everyMs = 200;
const ms = 3000;

/** The agent listens on several ports, since the gateway limits the number of connections to each port. */
export const row: Row = {
  name: 'gateway/streams',
  seconds: 55,
  run: (report) =>
    inFrontOf(
      () => startLiveAgent({ places: 8, everyMs }),
      (sides) =>
        comparePeers(
          sides,
          {
            rounds: 3,
            measure: async (side) => {
              const { cpuMs, alive } = await cpuPerThousand(side, { program: 'streams.mjs', hosts: sides.hosts, connections: streams, ms });
              if (alive < streams) throw new Error(`${side.name}: only ${alive} of ${streams} streams were alive`);
              return cpuMs;
            },
            figures: () => [
              {
                work: `gateway, server-sent events on ${streams} streams, each every ${everyMs} ms`,
                unit: 'ms of CPU per 1,000 events',
                better: 'less',
                of: (cpuMs) => cpuMs,
                digits: 1,
                note: 'all streams were alive in each round',
              },
            ],
          },
          report,
        ),
      { isLive: true },
    ),
};
