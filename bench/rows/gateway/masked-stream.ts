import { comparePeers } from '../../compare-peers.ts';
import { cpuPerThousand } from '../../load/cpu-per-thousand.ts';
import { startLiveAgent } from '../../peers/agents.ts';
import { maskEverything } from '../../protected.ts';
import type { Row } from '../../row.ts';
import { inFrontOf } from '../../sides.ts';

const streams = 500;
const everyMs = 100;
const ms = 3000;

export const row: Row = {
  name: 'gateway/masked-stream',
  seconds: 50,
  run: (report) =>
    inFrontOf(
      () => startLiveAgent({ places: 8, everyMs }),
      async (sides) => {
        await maskEverything(sides.sql);
        await comparePeers(
          sides,
          {
            rounds: 3,
            measure: async (side) =>
              (await cpuPerThousand(side, { program: 'streams.mjs', hosts: sides.hosts, connections: streams, ms })).cpuMs,
            figures: () => [
              {
                work: `gateway, server-sent events on ${streams} streams, each every ${everyMs} ms, all types of personal data masked`,
                unit: 'ms of CPU per 1,000 events',
                better: 'less',
                of: (cpuMs) => cpuMs,
                digits: 1,
                note: 'the peers look into nothing',
              },
            ],
          },
          report,
        );
      },
      { isLive: true },
    ),
};
