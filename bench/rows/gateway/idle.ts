import { setTimeout as sleep } from 'node:timers/promises';
import { comparePeers } from '../../compare-peers.ts';
import { latencyAt } from '../../load/paced.ts';
import { startLoad } from '../../load/program.ts';
import { memoryMb, openFilesAllowed } from '../../measure.ts';
import { startWebAgent } from '../../peers/agents.ts';
import type { Row } from '../../row.ts';
import { inFrontOf, type Side } from '../../sides.ts';
import { Skipped } from '../../skipped.ts';

/** The gateway takes 10,000, and the visitors during the measurement need some. A process also needs files for more than the connections. */
const wanted = 9900;
const connections = Math.min(wanted, openFilesAllowed() - 500);
const fewer = `; only ${connections} connections, since a process may open ${openFilesAllowed()} files here`;

export const row: Row = {
  name: 'gateway/idle',
  seconds: 35,
  run(report) {
    if (connections < 1000) throw new Skipped(`a process may open only ${openFilesAllowed()} files here (ulimit -n 16000)`);
    return inFrontOf(startWebAgent, (sides) =>
      comparePeers(
        sides,
        {
          rounds: 1,
          isWarmedUp: false, // memory that was used once is used again: only the first time shows the cost
          measure: (side) => measureIdle(side, sides.hosts),
          figures: () => [
            {
              work: `gateway, memory per idle connection, of ${connections} that have asked once`,
              unit: 'KiB (PSS)',
              better: 'less',
              of: ({ memoryKb }) => memoryKb,
              digits: 1,
              note: `without the kernel's part, and without the table that nginx makes when it starts (0.4 KiB per connection)${connections < wanted ? fewer : ''}`,
            },
            {
              work: `gateway, requests beside ${connections} idle connections, p99`,
              unit: 'ms',
              better: 'less',
              of: ({ p99 }) => p99,
              digits: 2,
            },
          ],
        },
        report,
      ),
    );
  },
};

async function measureIdle(side: Side, hosts: string[]) {
  const light = { hosts, perSecond: 500, seconds: 3, connections: 8 };
  await latencyAt(side, { ...light, perSecond: 2000, seconds: 2 }); // loads code and pools into memory first
  const before = memoryMb(side.pids);
  const visitors = await startLoad<{ open: number }>('idle.mjs', { port: side.port, hosts, connections });
  try {
    await sleep(2000); // garbage of opening them is collected
    const memoryKb = ((memoryMb(side.pids) - before) * 1024) / connections;
    const { p99 } = await latencyAt(side, light);
    const { open } = await visitors.ask({});
    if (open < connections) throw new Error(`${side.name} kept only ${open} of ${connections} idle connections`);
    return { memoryKb, p99 };
  } finally {
    await visitors.close();
  }
}
