import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { appendFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import small from '../../apps/server/process.json' with { type: 'json' };
import { freePort } from '../../scripts/test/free-port.ts';
import { runMark } from '../../scripts/test/leftovers.ts';
import { programOf } from '../../scripts/test/product.ts';
import { openedAddress, type Place } from './place.ts';

const startMs = 120_000;
const outputMost = 20_000;

/** Starts the whole of Paddock once for all tests, as `npm start` does, with the built console. The result ends it and removes everything. */
export default async function startPlatform() {
  const dataDir = await mkdtemp(join(tmpdir(), 'paddock-browser-'));
  const database = await ownDatabase(process.env.PADDOCK_TEST_DATABASE_URL);
  const [port = 0, gatewayPort = 0, ...identity_ports] = await Promise.all(Array.from({ length: 4 }, freePort));
  const origin = `http://127.0.0.1:${port}`;
  const server = spawn(process.execPath, [...small.args, programOf('server')], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH ?? '',
      HOME: process.env.HOME ?? '/',
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '',
      ...runMark(),
      ...small.env,
      PADDOCK_PORT: String(port),
      PADDOCK_GATEWAY_PORT: String(gatewayPort),
      PADDOCK_DATA_DIR: dataDir,
      ...(database ? { PADDOCK_DATABASE_URL: database.url } : {}),
      PADDOCK_PUBLIC_URL: origin,
      ...identityProviders(identity_ports),
      PADDOCK_EGRESS_ALLOW: `${openedAddress}/32`,
      PADDOCK_AGENTS_ON_EXIT: 'stop',
      // Requests are logged, too: tests search the log for things that must not be in it.
      PADDOCK_LOG_LEVEL: 'info',
      // Each test comes from an address of its own, so that the limits on sign-ups of one address do not add up.
      PADDOCK_TRUSTED_PROXIES: '127.0.0.1',
    },
  });
  const log_file = `${dataDir}.log`;
  let output = '';
  for (const stream of [server.stdout, server.stderr])
    stream.on('data', (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-outputMost);
      appendFileSync(log_file, chunk);
    });
  async function end() {
    if (server.exitCode === null && server.signalCode === null) {
      const ended = once(server, 'exit');
      server.kill('SIGTERM');
      await ended;
    }
    await database?.drop();
    await rm(dataDir, { recursive: true, force: true });
    // The server's warnings explain a failed test better than its screenshot.
    const lines = (await readFile(log_file, 'utf8'))
      .split('\n')
      .filter((line) => line.trim() && !/"level":30\b|is ready:|Agents answer/.test(line));
    if (lines.length) console.log(`\nThe server wrote:\n${lines.join('\n').slice(-outputMost)}`);
    await rm(log_file, { force: true });
  }
  for (const until = Date.now() + startMs; !output.includes('is ready:'); await sleep(50)) {
    if (server.exitCode === null && Date.now() < until) continue;
    await end();
    throw new Error('The platform did not start.');
  }
  process.env.PADDOCK_E2E_PLACE = JSON.stringify({
    origin,
    port,
    gatewayPort,
    log_file,
    identity_ports,
    outbox: join(dataDir, 'outbox'),
  } satisfies Place);
  return end;
}

/** A database on the server of the test command. Without that server the platform starts its own, as for a newcomer. */
async function ownDatabase(server: string | undefined) {
  if (!server) return undefined;
  const name = `browser_${randomBytes(6).toString('hex')}`;
  const run = async (statement: string) => {
    const sql = postgres(server, { max: 1, onnotice: () => undefined });
    await sql.unsafe(statement);
    await sql.end();
  };
  await run(`create database ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => run(`drop database ${name} with (force)`) };
}

/** Google and GitLab are configured at addresses of this machine; the tests that need them start them. Other providers are not configured. */
const identityProviders = (ports: number[]) =>
  Object.fromEntries(
    ['GOOGLE', 'GITLAB'].flatMap((name, index) => [
      [`PADDOCK_OAUTH_${name}_CLIENT_ID`, 'paddock-browser-tests'],
      [`PADDOCK_OAUTH_${name}_CLIENT_SECRET`, 'not-a-real-secret'],
      [`PADDOCK_OAUTH_${name}_ISSUER`, `http://127.0.0.1:${ports[index]}`],
    ]),
  );
