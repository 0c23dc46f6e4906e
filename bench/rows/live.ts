import { zipSync } from 'fflate';
import { quantile } from '../measure.ts';
import { startPaddock } from '../paddock.ts';
import { below, type Row } from '../row.ts';

const wanted = 400;
const agent = `setInterval(() => console.log('at ' + Date.now()), 37); require('http').createServer((q, r) => r.end('lines')).listen(process.env.PORT)`;

/** Time from the agent's write to the message on an open socket. Agent and reader share the machine's clock. */
export const row: Row = {
  name: 'live',
  seconds: 25,
  async run(report) {
    const paddock = await startPaddock();
    try {
      const { id } = await paddock.api<{ id: string }>('POST', '/projects', { name: 'lines' });
      const archive = new Blob([zipSync({ 'server.js': Buffer.from(agent) })]);
      const made = await paddock.deployTimed({ host: 'lines.localhost', project_id: id }, archive, 'lines');
      const { ticket } = await paddock.api<{ ticket: string }>('POST', `/deployments/${made.id}/logs/ticket`, {});
      const delays = await read(`${paddock.origin.replace('http', 'ws')}/ws/logs/${made.id}?token=${ticket}&after=0`);
      const of = (share: number) => [quantile(delays, share)];
      const work = `live log line, agent's write → socket (${delays.length} lines)`;
      report(below({ work: `${work}, p50`, unit: 'ms', ours: { values: of(0.5) }, max: 60 }));
      report(below({ work: `${work}, p99`, unit: 'ms', ours: { values: of(0.99) }, max: 150 }));
    } finally {
      await paddock.close();
    }
  },
};

async function read(url: string): Promise<number[]> {
  const socket = new WebSocket(url);
  const delays: number[] = [];
  const opened = Date.now();
  await new Promise<void>((resolve, reject) => {
    const late = setTimeout(reject, 60_000, new Error(`only ${delays.length} lines in a minute`));
    socket.addEventListener('message', ({ data }) => {
      for (const { message } of JSON.parse(String(data)) as { message: string }[]) {
        const at = Number(/^at (\d+)$/.exec(message)?.[1]);
        if (at > opened) delays.push(Date.now() - at); // lines from before are replayed, not live
      }
      if (delays.length < wanted) return;
      clearTimeout(late);
      resolve();
    });
    socket.addEventListener('error', () => reject(new Error('the live log broke off')));
  });
  socket.close();
  return delays;
}
