import { readdirSync, readFileSync } from 'node:fs';
import { get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { besiege, type SlowAttack } from './slow.ts';
import type { Row } from './table.ts';

/** Sends another visitor's request on its own connection. Returns the status, or 0 after two minutes: an agent on a busy machine may take long. */
function visitOnce(port: number, host: string, path: string): Promise<{ status: number; ms: number }> {
  const began = performance.now();
  return new Promise((resolve) => {
    const done = (status: number) => resolve({ status, ms: performance.now() - began });
    const call = get({ host: '127.0.0.1', port, path, headers: { host }, agent: false, timeout: 120_000 }, (answer) => {
      answer.resume();
      answer.on('end', () => done(answer.statusCode ?? 0));
      answer.on('error', () => done(0));
    });
    call.on('timeout', () => call.destroy());
    call.on('error', () => done(0));
  });
}

export async function visits({ port, host, path }: Pick<Besieged, 'port' | 'host' | 'path'>, count: number) {
  const results = [];
  for (let i = 0; i < count; i++) {
    results.push(await visitOnce(port, host, path));
    await sleep(10);
  }
  const sorted = results.map(({ ms }) => ms).sort((a, b) => a - b);
  const at = (share: number) => Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]! * 10) / 10;
  return { answered: results.filter(({ status }) => status === 200).length, p50: at(0.5), p99: at(0.99) };
}

export interface Besieged {
  port: number;
  pid: number;
  host: string;
  /** The path that other visitors request meanwhile. */
  path: string;
  /** Maximum number of sockets that the process may hold. */
  cap: number;
}

/** Other visitors' requests before and during one attack. It holds if each was answered and the process grew no more than it may. */
export async function underSiege(target: Besieged, attack: SlowAttack, count: number): Promise<Row> {
  const before = await visits(target, count);
  const memoryBefore = memoryMb(target.pid);
  const siege = await besiege(target.port, attack);
  try {
    const during = await visits(target, count);
    const sockets = readdirSync(`/proc/${target.pid}/fd`).length;
    const grown = memoryMb(target.pid) - memoryBefore;
    const times = (one: typeof before) => `${one.p50}/${one.p99} ms`;
    return {
      attempt: `${attack.count} × ${attack.name} from ${attack.addresses} address${attack.addresses === 1 ? '' : 'es'}`,
      expected: 'others answered, sockets ≤ cap, memory bounded',
      got: `${during.answered} of ${count} answered, p50/p99 ${times(before)} → ${times(during)}; ${siege.held()} held, ${sockets} descriptors, +${grown} MB`,
      held: before.answered === count && during.answered === count && sockets < target.cap + 200 && grown < 200,
    };
  } finally {
    siege.end();
    await sleep(300);
  }
}

function memoryMb(pid: number): number {
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024);
}
