import { comparePeers } from '../../compare-peers.ts';
import { requestsPerCpu } from '../../load/wrk.ts';
import { startWebAgent } from '../../peers/agents.ts';
import type { Row } from '../../row.ts';
import { inFrontOf } from '../../sides.ts';

export const row: Row = {
  name: 'gateway/audited',
  seconds: 70,
  run: (report) =>
    inFrontOf(startWebAgent, (sides) =>
      comparePeers(
        sides,
        {
          rounds: 5,
          measure: (side) => requestsPerCpu({ ...side, path: '/', host: sides.hosts[0]! }, 3),
          figures: () => [
            {
              work: 'gateway, 200 bytes of JSON, both records with redacted bodies in a spool and in PostgreSQL',
              unit: 'requests per second of CPU',
              better: 'more',
              of: (count) => count,
              atLeast: { nginx: 0.5 },
              note: 'the peers write one line of a log, without bodies',
            },
          ],
        },
        report,
      ),
    ),
};
