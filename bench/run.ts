import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { zipSync } from 'fflate';
import { memoryMb, type Paddock, startPaddock } from './paddock.ts';

interface Row {
  work: string;
  unit: string;
  ours: string;
  /** The same work done by somebody else in this run, or why that could not be. */
  peer: string;
}

const runs = 7;
const rows: Row[] = [];
const hasDocker = spawnSync('docker', ['info'], { stdio: 'ignore', timeout: 5000 }).status === 0;
const noPeer = hasDocker
  ? 'docker build + docker run: comes with the bench of the next release'
  : 'docker build + docker run: not run, no Docker engine here';

const first = await startPaddock();
rows.push({
  work: 'cold start, installed, new data directory',
  unit: 's to a served console',
  ours: (first.ready_ms / 1000).toFixed(2),
  peer: '–',
});
await first.close(true);
const paddock = await startPaddock(first.data_dir);
rows.push({ work: 'second start', unit: 's to a served console', ours: (paddock.ready_ms / 1000).toFixed(2), peer: '–' });
await sleep(3000);
rows.push({ work: 'idle memory, server and gateway', unit: 'MiB (PSS)', ours: memoryMb(paddock.pids()).toFixed(0), peer: '–' });
try {
  await deployments(paddock);
  await logLatency(paddock);
} finally {
  await paddock.close();
}
console.table(Object.fromEntries(rows.map(({ work, ...rest }) => [work, rest])));
writeFileSync(join(import.meta.dirname, 'results.json'), `${JSON.stringify({ at: new Date().toISOString(), rows }, null, 2)}\n`);

async function deployments({ api, deployTimed }: Paddock) {
  const { id } = await api<{ id: string }>('POST', '/projects', { name: 'bench' });
  const measured = async (work: string, files: (n: number) => Record<string, string>) => {
    const times: number[] = [];
    for (let n = 0; n <= runs; n++) {
      const { ms } = await deployTimed('bench.localhost', id, archive(files(n)), `run ${work} ${n}`);
      if (n > 0) times.push(ms); // the first one fetches tools and fills caches
    }
    rows.push({ work, unit: 'ms, median (min–max)', ours: spread(times), peer: noPeer });
  };
  const server = (text: string, head = '') =>
    `${head}require('http').createServer((q, r) => r.end('run ${text}')).listen(process.env.PORT)`;
  await measured('ZIP without dependencies → first 200', (n) => ({ 'server.js': server(`ZIP without dependencies → first 200 ${n}`) }));
  const manifest = '{"name":"bench","version":"1.0.0","main":"server.js","dependencies":{"ms":"2.1.3","is-number":"7.0.0"}}';
  await measured('ZIP with unchanged dependencies → first 200', (n) => ({
    'package.json': manifest,
    'server.js': server(`ZIP with unchanged dependencies → first 200 ${n}`, "require('ms');"),
  }));
}

/** From the agent's write to the message on an open socket; agent and reader share the machine's clock. */
async function logLatency({ api, deployTimed, origin }: Paddock) {
  const { id } = await api<{ id: string }>('POST', '/projects', { name: 'lines' });
  const agent = `setInterval(() => console.log('at ' + Date.now()), 37); require('http').createServer((q, r) => r.end('lines')).listen(process.env.PORT)`;
  const made = await deployTimed('lines.localhost', id, archive({ 'server.js': agent }), 'lines');
  const { ticket } = await api<{ ticket: string }>('POST', `/deployments/${made.id}/logs/ticket`, {});
  const socket = new WebSocket(`${origin.replace('http', 'ws')}/ws/logs/${made.id}?token=${ticket}&after=0`);
  const delays: number[] = [];
  const opened = Date.now();
  await new Promise<void>((resolve) => {
    socket.addEventListener('message', ({ data }) => {
      for (const { message } of JSON.parse(String(data)) as { message: string }[]) {
        const at = Number(/^at (\d+)$/.exec(message)?.[1]);
        if (at > opened) delays.push(Date.now() - at); // lines from before are replayed, not live
      }
      if (delays.length >= 400) resolve();
    });
    setTimeout(resolve, 30_000);
  });
  socket.close();
  delays.sort((a, b) => a - b);
  const at = (share: number) => delays[Math.floor(delays.length * share)];
  rows.push({
    work: `live log line, agent's write → socket (${delays.length} lines)`,
    unit: 'ms, p50 / p99',
    ours: `${at(0.5)} / ${at(0.99)}`,
    peer: '–',
  });
}

function spread(times: number[]) {
  const sorted = times.toSorted((a, b) => a - b);
  return `${sorted[Math.floor(sorted.length / 2)]!.toFixed(0)} (${sorted[0]!.toFixed(0)}–${sorted.at(-1)!.toFixed(0)})`;
}

function archive(files: Record<string, string>) {
  const contents = Object.entries(files).map(([name, text]) => [name, Buffer.from(text)] as const);
  return new Blob([zipSync(Object.fromEntries(contents))]);
}
