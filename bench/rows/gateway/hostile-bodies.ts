import { threadCpuUsage } from 'node:process';
import { Worker } from 'node:worker_threads';
import { hostile } from '@paddock/pii/growth';
import { startFixture } from '../../../apps/gateway/test/fixture.ts';
import { everywhere, protect } from '../../../apps/gateway/test/protection.ts';
import { piiTypes } from '../../../packages/pii/src/types.ts';
import { startWebAgent } from '../../peers/agents.ts';
import { below, type Row } from '../../row.ts';

const bodyBytes = 64 * 1024;

/** Posts the bodies one after the other from a thread of its own, so that the measured loop is the gateway's alone. */
const visitor = `
  const { parentPort, workerData } = require('node:worker_threads');
  const { request, Agent } = require('node:http');
  const agent = new Agent({ keepAlive: true });
  const post = (body) => new Promise((resolve, reject) => {
    const headers = { host: 'held.localhost', 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const call = request({ port: workerData.port, method: 'POST', path: '/', headers, agent }, (answer) => answer.resume().on('end', resolve));
    call.on('error', reject);
    call.end(body);
  });
  (async () => {
    for (const piece of workerData.pieces) await post(JSON.stringify({ text: piece.repeat(Math.ceil(workerData.bytes / piece.length)) }));
    parentPort.postMessage('done');
    agent.destroy();
  })();`;

export const row: Row = {
  name: 'gateway/hostile-bodies',
  seconds: 30,
  async run(report) {
    const agent = await startWebAgent();
    const fixture = await startFixture();
    try {
      await fixture.route('held', { port: agent.ports[0]! });
      await protect(fixture, 'held', { rules: Object.fromEntries(piiTypes.map((type) => [type, everywhere('mask')])) });
      const round = async () => {
        const watch = longestTurnMeter();
        const before = process.memoryUsage().rss;
        const worker = new Worker(visitor, { eval: true, workerData: { port: fixture.gateway.port, pieces: hostile, bytes: bodyBytes } });
        await new Promise((resolve, reject) => worker.once('exit', resolve).once('error', reject));
        return { longest: watch.end(), grown: (process.memoryUsage().rss - before) / 1e6 };
      };
      for (let warm = 0; warm < 4; warm++) await round(); // code that only these bodies use is compiled as late as this
      const rounds = [await round(), await round(), await round()];
      const work = `event loop of a gateway that masks ${hostile.length} hostile bodies of 64 KiB, longest turn`;
      const note = `in time of the processor, which the loop shares with its visitor, its agent and PostgreSQL; memory grew by ${Math.max(...rounds.map(({ grown }) => grown)).toFixed(0)} MB`;
      report(below({ work, unit: 'ms', ours: { values: rounds.map(({ longest }) => longest), digits: 1 }, max: 5, note }));
    } finally {
      await fixture.close();
      await agent.close();
    }
  },
};

/** Maximum processor time of a turn of this event loop, in ms. */
function longestTurnMeter() {
  let longest = 0;
  let isOver = false;
  const spent = () => {
    const { user, system } = threadCpuUsage();
    return (user + system) / 1_000;
  };
  let before = spent();
  const turn = () => {
    const now = spent();
    longest = Math.max(longest, now - before);
    before = now;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  return {
    end: () => {
      isOver = true;
      return longest;
    },
  };
}
