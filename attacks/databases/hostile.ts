import { clients } from '../../faults/databases/agent.ts';

/** An agent that makes the requested attempts on databases and returns each result: a value, or the code or message of a refusal. */
export const hostile = (): Record<string, string> => ({
  ...clients(),
  'package.json': JSON.stringify({ name: 'hostile', version: '1.0.0', type: 'module', scripts: { start: 'node server.js' } }),
  'server.js': `import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import net from 'node:net';
import postgres from './postgres/index.js';
import { openRedis } from './redis-wire.ts';

const works = {
  dial: ([host, port]) => new Promise((resolve) => {
    const socket = net.connect({ host, port, timeout: 2000 });
    const done = (result) => (socket.destroy(), resolve(result));
    socket.on('connect', () => done('connected'));
    socket.on('timeout', () => done('timeout'));
    socket.on('error', (error) => done(error.code ?? error.message));
  }),
  async sql([url, text]) {
    // The library takes an IPv6 address only without its brackets.
    const host = new URL(url).hostname.replace(/^\\[|\\]$/g, '');
    // Many attempts at once on its own database take long on a busy machine. Another address may not answer at all.
    const isOwn = new URL(url).port === new URL(process.env.DATABASE_URL).port;
    const sql = postgres(url, { host, max: 1, connect_timeout: isOwn ? 60 : 3, onnotice: () => undefined });
    try {
      return JSON.stringify(await sql.unsafe(text)).slice(0, 500);
    } catch (error) {
      return 'refused ' + (error.code ?? '') + ' ' + error.message;
    } finally {
      await sql.end({ timeout: 1 });
    }
  },
  async redis([url, ...words]) {
    let redis;
    try {
      redis = await openRedis(url);
      return JSON.stringify(await redis.call(...words)).slice(0, 500);
    } catch (error) {
      return 'refused ' + (error.code ?? '') + ' ' + error.message;
    } finally {
      redis?.close();
    }
  },
  sh: ([command]) => new Promise((resolve) => {
    const child = spawn('/bin/sh', ['-c', command]);
    let output = '';
    for (const from of [child.stdout, child.stderr]) from.on('data', (text) => (output = (output + text).slice(-20_000)));
    child.on('close', () => resolve(output));
  }),
};

createServer(async (request, response) => {
  const { pathname, searchParams } = new URL(request.url, 'http://agent');
  const work = works[pathname.slice(1)];
  if (!work) return response.end('hostile');
  response.end(JSON.stringify(await Promise.all(JSON.parse(searchParams.get('of')).map(work))));
}).listen(process.env.PORT);
`,
});
