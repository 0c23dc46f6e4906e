import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { deploy, type Platform, reaches, until } from '../apps/server/test/platform.ts';
import type { Api } from '../apps/server/test/server.ts';
import { followLog, type Reader } from './log-reader.ts';

/** An agent that prints numbered lines of about 100 bytes with their timestamps: `/print?rate=…&seconds=…`. */
const printer = {
  'server.js': `
const filler = 'x'.repeat(60);
require('node:http').createServer((req, res) => {
  const asked = new URL(req.url, 'http://agent').searchParams;
  const [rate, seconds, name] = [Number(asked.get('rate')), Number(asked.get('seconds')), asked.get('name')];
  if (!rate) return void res.end('ready');
  const total = Math.round(rate * seconds);
  const began = performance.now();
  let n = 0;
  const timer = setInterval(() => {
    const due = Math.min(total, Math.floor((performance.now() - began) / 1000 * rate));
    let text = '';
    for (; n < due; n++) text += 'line ' + name + ' ' + n + ' ' + Date.now() + ' ' + filler + '\\n';
    if (text) process.stdout.write(text);
    if (n < total) return;
    clearInterval(timer);
    process.stdout.write('done ' + name + '\\n');
  }, 10);
  res.end('printing ' + total);
}).listen(Number(process.env.PORT));
`,
};

export interface Printing {
  id: string;
  host: string;
}

export async function printingAgent(platform: Platform, api: Api, name: string): Promise<Printing> {
  const project = await api.projects.create({ name });
  const { id } = await deploy(api, project.id, printer);
  await reaches(api, id, ['active']);
  return { id, host: new URL(project.url).host };
}

const print = async (platform: Platform, { host }: Printing, { rate, seconds, name }: { rate: number; seconds: number; name: string }) => {
  const answer = await platform.visit(host, `/print?rate=${rate}&seconds=${seconds}&name=${name}`);
  assert.equal(answer.body, `printing ${Math.round(rate * seconds)}`);
};

/** Prints lines at a rate while the reader's connection is cut every second. Each line must arrive once, in order. */
export async function cutEverySecond(platform: Platform, seconds: number, rate = 1_000): Promise<string> {
  const { api } = await platform.person();
  const agent = await printingAgent(platform, api, 'cut');
  const reader = followLog({ ...platform, api }, agent.id, { cutEveryMs: 1_000 });
  try {
    await print(platform, agent, { rate, seconds, name: 'c' });
    await until('the last line is with the reader', async () => reader.lines.at(-1)?.message === 'done c', seconds + 60);
    assertEachOnce(reader, 'c', rate * seconds);
    return `${rate * seconds} lines once and in order over ${reader.connections()} connections`;
  } finally {
    await reader.stop();
  }
}

/** An agent floods the log while another prints a line now and then. Measures the delay of the quiet one's lines and the server's memory. */
export async function floodBeside(platform: Platform, seconds: number, rate = 10_000): Promise<string> {
  const { api } = await platform.person();
  const [loud, quiet] = [await printingAgent(platform, api, 'loud'), await printingAgent(platform, api, 'quiet')];
  const [loudReader, quietReader] = [followLog({ ...platform, api }, loud.id), followLog({ ...platform, api }, quiet.id)];
  try {
    await print(platform, quiet, { rate: 7, seconds: 5, name: 'before' });
    await until('the quiet agent was heard', async () => quietReader.lines.at(-1)?.message === 'done before');
    const before = quietReader.lags('before');
    const serverPid = await pidOfServer(platform);
    const memoryBefore = memoryMb(serverPid);
    let memoryMost = memoryBefore;
    const watching = setInterval(() => {
      memoryMost = Math.max(memoryMost, memoryMb(serverPid));
    }, 500);
    await print(platform, loud, { rate, seconds, name: 'f' });
    await sleep(500);
    await print(platform, quiet, { rate: 7, seconds: seconds - 1, name: 'during' });
    await until('the quiet agent was heard', async () => quietReader.lines.at(-1)?.message === 'done during', seconds + 30);
    await until('the last line of the flood is with the reader', async () => loudReader.lines.at(-1)?.message === 'done f', seconds + 60);
    clearInterval(watching);
    assertEachOnce(loudReader, 'f', rate * seconds);
    const during = quietReader.lags('during');
    const flood = loudReader.lags('f');
    // A busy machine delays all lines. If the flood held up the other agent's lines, they would be as late as the flood's own.
    assert.ok(
      during.p99 < Math.max(1_000, flood.p50),
      `lines of the other agent were ${during.p99} ms late (p99), the flood's own ${flood.p50} ms (p50)`,
    );
    assert.ok(memoryMost - memoryBefore < 250, `the server grew from ${memoryBefore} to ${memoryMost} MB`);
    const lag = ({ p50, p99, most }: typeof before) => `p50 ${p50}, p99 ${p99}, most ${most} ms`;
    return `${rate * seconds} lines, none lost; other agent's lag before: ${lag(before)}; during: ${lag(during)}; flood's own: ${lag(flood)}; server ${memoryBefore} → ${memoryMost} MB`;
  } finally {
    await Promise.all([loudReader.stop(), quietReader.stop()]);
  }
}

/** Line numbers have no gaps, and neither has the agent's count unless a platform line reports how many lines were dropped. */
function assertEachOnce(reader: Reader, name: string, total: number) {
  const { lines } = reader;
  const first = lines[0]!.number;
  assert.ok(
    lines.every((line, i) => line.number === first + i),
    'the numbers have a gap, or a line came twice',
  );
  assert.deepEqual(
    lines.filter((line) => line.source === 'platform' && /dropped/.test(line.message)),
    [],
  );
  const counts = lines.filter((line) => line.message.startsWith(`line ${name} `)).map((line) => Number(line.message.split(' ')[2]));
  assert.equal(counts.length, total);
  assert.ok(
    counts.every((count, i) => count === i),
    'a line is missing or out of order',
  );
}

/** The gateway is the server's child. */
async function pidOfServer(platform: Platform): Promise<number> {
  const stat = readFileSync(`/proc/${await platform.gatewayPid()}/stat`, 'utf8');
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
}

function memoryMb(pid: number): number {
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024);
}
