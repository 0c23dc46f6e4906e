import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** The PostgreSQL driver as plain files, so that an agent can be deployed without a registry. */
function driverFiles(): Record<string, string> {
  // Resolves to cjs/src/index.js.
  const folder = join(dirname(createRequire(import.meta.url).resolve('postgres')), '..');
  const sources = readdirSync(join(folder, 'src')).map((name) => [`driver/src/${name}`, readFileSync(join(folder, 'src', name), 'utf8')]);
  return { 'driver/package.json': readFileSync(join(folder, 'package.json'), 'utf8'), ...Object.fromEntries(sources) };
}

const server = `
const postgres = require('./driver/src/index.js');
const net = require('node:net');
const { DATABASE_URL, REDIS_URL } = process.env;
const sql = DATABASE_URL && postgres(DATABASE_URL, { max: 2, connect_timeout: 30, onnotice() {} });

// A single command per connection, in the protocol of Redis.
function redis(...words) {
  const url = new URL(REDIS_URL);
  const encode = (list) => '*' + list.length + '\\r\\n' + list.map((word) => '$' + Buffer.byteLength(word) + '\\r\\n' + word + '\\r\\n').join('');
  return new Promise((resolve, reject) => {
    const socket = net.connect(url.port, url.hostname, () => socket.write(encode(['AUTH', url.username, url.password]) + encode(words)));
    let text = '';
    socket.setTimeout(30_000, () => socket.destroy(new Error('no answer')));
    socket.on('error', reject);
    socket.on('data', (chunk) => {
      text += chunk;
      const lines = text.split('\\r\\n');
      if (text.startsWith('-')) socket.destroy(), reject(new Error(lines[0]));
      else if (lines.length > 2) socket.destroy(), resolve(lines[1]);
    });
  });
}

const answers = {
  '/urls': async () => ({ DATABASE_URL, REDIS_URL }),
  '/postgres': async () => {
    await sql\`create table if not exists counts (n int)\`;
    await sql\`insert into counts values (1)\`;
    return (await sql\`select count(*)::int as n from counts\`)[0].n;
  },
  '/redis': async () => Number((await redis('INCR', 'count')).slice(1)),
};
require('node:http').createServer(async (request, response) => {
  const answer = answers[request.url] ?? (async () => 'up');
  const body = await answer().catch((error) => ({ error: error.message }));
  response.end(JSON.stringify(body));
}).listen(process.env.PORT);
`;

/** An agent that counts in its databases: /postgres and /redis return the number of their requests, /urls the database URLs. */
export const countingAgent = (): Record<string, string> => ({ 'server.js': server, ...driverFiles() });

/** The inode of the socket that listens at this port of 127.0.0.1. */
function listener(port: number): string | undefined {
  const at = `0100007F:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const lines = readFileSync('/proc/net/tcp', 'utf8').split('\n');
  return lines.map((line) => line.trim().split(/\s+/)).find((columns) => columns[1] === at && columns[3] === '0A')?.[9];
}
export const isListening = (port: number): boolean => listener(port) !== undefined;

/** The process that listens at this port of 127.0.0.1: the database server that a test ends. If several share the socket, the oldest. */
export function serverAt(port: number): number | undefined {
  const inode = listener(port);
  const holders = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => inode !== undefined && filesOf(pid).includes(`socket:[${inode}]`));
  return holders.length ? Math.min(...holders) : undefined;
}

function filesOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).map((name) => readlinkSync(`/proc/${pid}/fd/${name}`));
  } catch {
    return []; // it ended meanwhile, or is another user's
  }
}
