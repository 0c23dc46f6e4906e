import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import small from '../apps/server/process.json' with { type: 'json' };
import { programOf } from '../scripts/test/product.ts';
import { cpuSeconds, endWithUs, familyOf, freePort } from './measure.ts';

/**
 * The product as `npm start` runs it once everything is installed, with a data directory and ports of its own. With `execArgv` it is the build
 * in which failpoints are code.
 */
export async function startPaddock(
  settings: Record<string, string> = {},
  dataDir = mkdtempSync(join(tmpdir(), 'paddock-bench-')),
  execArgv: string[] = [],
) {
  const [port, gatewayPort] = [await freePort(), await freePort()];
  const begun = performance.now();
  const server = spawn(process.execPath, [...small.args, ...execArgv, programOf('server', execArgv)], {
    env: {
      ...process.env,
      ...small.env,
      PADDOCK_PORT: `${port}`,
      PADDOCK_GATEWAY_PORT: `${gatewayPort}`,
      PADDOCK_DATA_DIR: dataDir,
      PADDOCK_AGENTS_ON_EXIT: 'stop',
      PADDOCK_LOG_LEVEL: 'error',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  endWithUs(server);
  await said(server, 'is ready:');
  const ready_ms = performance.now() - begun;
  const ready_cpu_s = cpuSeconds([server.pid!]);
  const origin = `http://127.0.0.1:${port}`;
  const { api, token } = await person(origin);
  return {
    dataDir,
    origin,
    port,
    gatewayPort,
    ready_ms,
    ready_cpu_s,
    api,
    token: () => token,
    /** The API for a person of another team. */
    another: async () => (await person(origin)).api,
    /** The server's process, and all processes of the gateway. */
    pids: () => [server.pid!, ...familyOf((JSON.parse(readFileSync(join(dataDir, 'gateway.json'), 'utf8')) as { pid: number }).pid)],
    /** Milliseconds from sending the archive to the agent's first response at its address. */
    async deployTimed(
      { host, project_id, api: by = api }: { host: string; project_id: string; api?: Api },
      archive: Blob,
      answers: string,
    ) {
      const form = new FormData();
      form.set('project_id', project_id);
      form.set('code', archive, 'agent.zip');
      const begun = performance.now();
      const { id } = await by<{ id: string }>('POST', '/deployments', form);
      for (const until = begun + 180_000; performance.now() < until; await sleep(5)) {
        const { status, body } = await visit(gatewayPort, host);
        if (status === 200 && body.includes(answers)) return { id, ms: performance.now() - begun };
      }
      throw new Error(`${host} never answered`);
    },
    async close(keepData = false) {
      const ended = once(server, 'exit');
      server.kill('SIGTERM');
      await ended;
      if (!keepData) rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
export type Api = <T>(method: string, path: string, body?: object | FormData) => Promise<T>;

let people = 0;

/** A new person, signed in. */
async function person(origin: string): Promise<{ api: Api; token: string }> {
  let token = '';
  const api: Api = async <T>(method: string, path: string, body?: object | FormData) => {
    const json = body && !(body instanceof FormData);
    const answer = await fetch(`${origin}/api/v1${path}`, {
      method,
      headers: { ...(token ? { authorization: `Bearer ${token}` } : {}), ...(json ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: json ? JSON.stringify(body) : body } : {}),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${await answer.text()}`);
    return (await answer.json()) as T;
  };
  const { email, password, name } = { email: `${Date.now()}${++people}@example.com`, password: 'correct horse', name: 'Bench' };
  await api('POST', '/auth/signup', { email, password, name });
  token = (await api<{ token: string }>('POST', '/auth/login', { email, password })).token;
  return { api, token };
}

export type Paddock = Awaited<ReturnType<typeof startPaddock>>;

export function visit(port: number, host: string, { address = '127.0.0.1', path = '/' } = {}): Promise<{ status: number; body: string }> {
  return new Promise((resolve) => {
    const call = get({ host: address, port, path, headers: { host }, agent: false, timeout: 5000 }, (answer) => {
      let body = '';
      answer.on('data', (chunk: Buffer) => (body += chunk.toString()));
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body }));
    });
    call.on('timeout', () => call.destroy(new Error('time-out')));
    call.on('error', () => resolve({ status: 0, body: '' }));
  });
}

async function said(child: ChildProcess, text: string) {
  let output = '';
  for await (const chunk of child.stdout!) {
    output += String(chunk);
    if (output.includes(text)) break;
  }
  if (!output.includes(text)) throw new Error('Paddock did not start');
  child.stdout!.resume();
}
