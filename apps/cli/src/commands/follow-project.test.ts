import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocketServer } from 'ws';
import { toolProgram } from '../../../../scripts/test/product.ts';

const project = { id: `prj_${'1'.repeat(16)}`, name: 'desk' };
const row = (digit: string, second: number) => ({
  id: `dep_${digit.repeat(16)}`,
  project_id: project.id,
  project_name: 'desk',
  environment: 'production',
  is_current: true,
  created_at: `2026-01-31T12:00:0${second}.000Z`,
});

/** Waits for at most five minutes. */
async function until(isSo: () => boolean) {
  for (let looks = 0; looks < 6000 && !isSo(); looks++) await sleep(50);
  assert.ok(isSo());
}

test('the log of a project goes on with its next deployment, and says so', async (t) => {
  const rows = [row('1', 1)];
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://server');
    const answers: Record<string, unknown> = {
      '/api/v1/projects': { projects: [project], next_cursor: null },
      '/api/v1/deployments': { deployments: rows, next_cursor: null },
    };
    const answer = answers[pathname] ?? (pathname.endsWith('/ticket') ? { ticket: 'a' } : { logs: [] });
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
  });
  new WebSocketServer({ server }).on('connection', (socket, { url = '' }) => {
    const message = `line of ${/dep_\d+/.exec(url)?.[0]}`;
    socket.send(JSON.stringify([{ id: 'a', number: 1, level: 'info', source: 'agent', message, created_at: '2026-01-31T12:00:00.000Z' }]));
    socket.close(1000, 'end');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close().closeAllConnections());
  const env = {
    ...process.env,
    PADDOCK_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    PADDOCK_API_KEY: 'pk_live_test',
  };
  const tool = spawn(process.execPath, [toolProgram(), 'logs', 'desk', '-f'], { env });
  t.after(() => tool.kill('SIGKILL'));
  const said = { out: '', notes: '' };
  tool.stdout.on('data', (chunk) => (said.out += chunk));
  tool.stderr.on('data', (chunk) => (said.notes += chunk));
  await until(() => said.notes.includes('Waiting for the next deployment of desk (production)'));
  rows.unshift(row('2', 2));
  await until(() => said.out.includes('line of dep_2222222222222222'));
  assert.match(said.out, /line of dep_1111111111111111[^]*line of dep_2222222222222222/);
  assert.match(said.notes, /The log of dep_1{16} is over\.[^]*Log of dep_2{16}:/);
  tool.kill('SIGINT');
  assert.deepEqual((await once(tool, 'exit'))[0], 0);
});
