import { request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { comparePeers } from '../../compare-peers.ts';
import { requestsPerCpu } from '../../load/wrk.ts';
import { until } from '../../measure.ts';
import { startWebAgent } from '../../peers/agents.ts';
import { maskEverything } from '../../protected.ts';
import type { Row } from '../../row.ts';
import { inFrontOf, type Side } from '../../sides.ts';

const script = join(import.meta.dirname, '../../load/post-message.lua');
const path = '/echo';

export const row: Row = {
  name: 'gateway/masked',
  seconds: 60,
  run: (report) =>
    inFrontOf(startWebAgent, async (sides) => {
      const host = sides.hosts[0]!;
      await maskEverything(sides.sql);
      await until('the gateway masks', () => isMasked(sides.ours, host));
      await comparePeers(
        sides,
        {
          rounds: 4,
          measure: (side) => requestsPerCpu({ ...side, path, host }, 3, { script }),
          figures: () => [
            {
              work: 'gateway, 2 kB of JSON each way, all types of personal data masked both ways, and recorded',
              unit: 'requests per second of CPU',
              better: 'more',
              of: (count) => count,
              atLeast: { caddy: 1.2 },
              note: 'the peers look into nothing and record no bodies',
            },
          ],
        },
        report,
      );
    }),
};

function isMasked({ port }: Side, host: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const headers = { host, 'content-type': 'application/json' };
    const call = request({ host: '127.0.0.1', port, path, method: 'POST', headers, agent: false }, (answer) => {
      text(answer).then((body) => resolve(body.includes('[EMAIL]')), reject);
    });
    call.on('error', reject);
    call.end('{"email":"ada.lovelace@example.com"}');
  });
}
