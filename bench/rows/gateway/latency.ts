import { comparePeers } from '../../compare-peers.ts';
import { latencyAt } from '../../load/paced.ts';
import { requestsPerCpu } from '../../load/wrk.ts';
import { startWebAgent } from '../../peers/agents.ts';
import type { Result, Row } from '../../row.ts';
import { inFrontOf, type Peer, type Side, type Sides } from '../../sides.ts';
import { Skipped } from '../../skipped.ts';

const rounds = 5;
const seconds = 2;

/** The rate is constant and does not wait for responses. The latency of a delayed request counts from the time at which it was due. */
export const row: Row = {
  name: 'gateway/latency',
  seconds: 65,
  run: (report) =>
    inFrontOf(startWebAgent, async (sides) => {
      const capacity = async (side: Side) => {
        const load = (seconds: number) => requestsPerCpu({ ...side, path: '/', host: sides.hosts[0]! }, seconds);
        await load(1); // compilers and caches warm up
        return load(2);
      };
      const ours = await capacity(sides.ours);
      for (const peer of sides.peers) {
        const slower = peer.side instanceof Skipped ? ours : Math.min(ours, await capacity(peer.side));
        await besideOne(sides, { peer, perSecond: Math.round(slower / 2 / 100) * 100 }, report);
      }
    }),
};

function besideOne(sides: Sides, { peer, perSecond }: { peer: Peer; perSecond: number }, report: (result: Result) => void) {
  const work = `gateway at half load: ${perSecond} requests per second, half of the slower one's core`;
  const shape = { unit: 'ms', better: 'less', digits: 2 } as const;
  return comparePeers(
    { ...sides, peers: [peer] },
    {
      rounds,
      measure: (side) => latencyAt(side, { hosts: sides.hosts, perSecond, seconds }),
      figures: (measured) => {
        const late = Math.max(...measured.map(({ late }) => late)).toFixed(2);
        const note = `constant rate, times from when each request was due; ${late} ms of them are the load's own`;
        return [
          { work: `${work}, p50`, ...shape, of: ({ p50 }) => p50, note },
          { work: `${work}, p99`, ...shape, of: ({ p99 }) => p99 },
        ];
      },
    },
    report,
  );
}
