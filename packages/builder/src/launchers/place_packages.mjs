// Puts the packages of a lock file where `npm ci --ignore-scripts` would, from npm's cache: place_packages.mjs PLACEMENT, in the folder of package.json.
// Packages missing from the cache are fetched into it, if that is allowed. Exits with 3 where npm has to do it. Runs on every Node version of agents.
import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import { get as getPlain, Agent as PlainAgent } from 'node:http';
import { get as getSafe, Agent as SafeAgent } from 'node:https';
import { basename, dirname, join, relative } from 'node:path';
import { gunzipSync } from 'node:zlib';

const UNABLE = 3;
const LIMITS = { connections: 12, fetchMs: 60_000, packageBytes: 256 * 1024 ** 2, unpackedBytes: 1024 ** 3, redirects: 3 };
const agents = {
  'http:': new PlainAgent({ keepAlive: true, maxSockets: LIMITS.connections }),
  'https:': new SafeAgent({ keepAlive: true, maxSockets: LIMITS.connections }),
};
const begun = Date.now();
const { cache, mayFetch, packages, installed } = JSON.parse(fs.readFileSync(process.argv[2], 'utf8'));

const contentOf = (sha512) => join(cache, '_cacache/content-v2/sha512', sha512.slice(0, 2), sha512.slice(2, 4), sha512.slice(4));
const isSame = (bytes, sha512) => createHash('sha512').update(bytes).digest('hex') === sha512;

function unable(why) {
  console.log(`Packages could not be placed by the lock file (${why}); npm installs them.`);
  process.exit(UNABLE);
}

function fetched(url, redirects = 0) {
  return new Promise((resolve, reject) => {
    const { protocol, host } = new URL(url);
    const get = protocol === 'http:' ? getPlain : getSafe;
    const request = get(url, { agent: agents[protocol], timeout: LIMITS.fetchMs }, (answer) => {
      const { statusCode, headers } = answer;
      if (statusCode >= 300 && statusCode < 400 && headers.location && redirects < LIMITS.redirects) {
        answer.resume();
        return resolve(fetched(new URL(headers.location, url).href, redirects + 1));
      }
      if (statusCode !== 200) {
        answer.resume();
        return reject(new Error(`${host} answered ${statusCode}`));
      }
      const pieces = [];
      let bytes = 0;
      answer.on('data', (piece) => {
        bytes += piece.length;
        if (bytes > LIMITS.packageBytes) request.destroy(new Error(`a package of ${host} is too large`));
        else pieces.push(piece);
      });
      answer.on('end', () => resolve(Buffer.concat(pieces)));
      answer.on('error', reject);
    });
    request.on('timeout', () => request.destroy(new Error(`${host} does not answer`)));
    request.on('error', reject);
  });
}

/** Written under another name first, so that what stands in the cache is whole. */
function keep(sha512, bytes) {
  const file = contentOf(sha512);
  fs.mkdirSync(dirname(file), { recursive: true });
  fs.writeFileSync(`${file}.${process.pid}`, bytes);
  fs.renameSync(`${file}.${process.pid}`, file);
}

async function fetchOne({ url, sha512 }) {
  const bytes = await fetched(url);
  if (!isSame(bytes, sha512)) throw new Error(`the integrity of ${new URL(url).pathname} is not that of the lock file`);
  keep(sha512, bytes);
}

/** Starts fetching what the cache lacks. Returns who waits for which digest. */
function fetchMissing() {
  const missing = new Map();
  for (const one of packages) if (!fs.existsSync(contentOf(one.sha512))) missing.set(one.sha512, one);
  if (missing.size > 0 && !mayFetch) unable('some are not in the cache');
  const waiting = new Map();
  for (const [sha512, one] of missing) {
    const fetching = fetchOne(one);
    fetching.catch(() => undefined); // told when its turn comes
    waiting.set(sha512, fetching);
  }
  return waiting;
}

const textOf = (tar, from, length) => {
  let end = from;
  while (end < from + length && tar[end] !== 0) end++;
  return tar.toString('utf8', from, end);
};
const numberOf = (tar, from, length) => {
  if (tar[from] & 0x80) throw new Error('an entry of its archive is too large');
  return Number.parseInt(textOf(tar, from, length).trim() || '0', 8);
};

/** Fields of an extended header: `length name=value`, a line each. */
function fieldsOf(data) {
  const fields = {};
  for (let at = 0; at < data.length; ) {
    const space = data.indexOf(0x20, at);
    const length = Number(data.toString('latin1', at, space));
    if (space < 0 || !(length > 0)) break;
    const line = data.toString('utf8', space + 1, at + length - 1);
    fields[line.slice(0, line.indexOf('='))] = line.slice(line.indexOf('=') + 1);
    at += length;
  }
  return fields;
}

/** The files of an archive, with their names as they stand in it. */
function* entriesOf(tar) {
  let next = {};
  for (let at = 0; at + 512 <= tar.length && tar[at] !== 0; ) {
    const type = String.fromCharCode(tar[at + 156] || 0x30);
    const size = next.size === undefined ? numberOf(tar, at + 124, 12) : Number(next.size);
    const data = tar.subarray(at + 512, at + 512 + size);
    const prefix = tar.toString('latin1', at + 257, at + 262) === 'ustar' ? textOf(tar, at + 345, 155) : '';
    const name = next.path || (prefix === '' ? '' : `${prefix}/`) + textOf(tar, at, 100);
    const mode = numberOf(tar, at + 100, 8);
    at += 512 + Math.ceil(size / 512) * 512;
    if (type === 'x') next = fieldsOf(data);
    else if (type === 'L') next = { path: textOf(data, 0, data.length) };
    else if (type !== 'g') {
      next = {};
      if (type === '0' || type === '7') yield { name, mode, data };
    }
  }
}

/** Without its first folder; undefined for what must not be written. */
function placeOf(name) {
  const parts = name
    .split('/')
    .slice(1)
    .filter((part) => part !== '' && part !== '.');
  return parts.length === 0 || parts.includes('..') ? undefined : parts.join('/');
}

/** Unpacks like npm: no links, no empty folders, a `.gitignore` becomes `.npmignore`, everybody may read. */
function unpack(tar, folder) {
  const made = new Set();
  const ignoring = new Set();
  const makeFolder = (path) => {
    if (made.has(path)) return;
    fs.mkdirSync(path, { recursive: true });
    made.add(path);
  };
  makeFolder(folder);
  for (const { name, mode, data } of entriesOf(tar)) {
    let place = placeOf(name);
    if (place === undefined) continue;
    if (basename(place) === '.npmignore') ignoring.add(place);
    if (basename(place) === '.gitignore') {
      place = place.replace(/\.gitignore$/, '.npmignore');
      if (ignoring.has(place)) continue;
    }
    const file = join(folder, place);
    makeFolder(dirname(file));
    fs.writeFileSync(file, data, { mode: ((mode | 0o666) & 0o755) | 0o600 });
  }
}

/** Line ends of Windows after `#!` would name a program that is not there. */
function makeProgram(file) {
  fs.chmodSync(file, 0o755);
  const text = fs.readFileSync(file, 'latin1');
  if (/^#!.{1,2000}\r\n/.test(text)) fs.writeFileSync(file, text.replace(/^(#!.{1,2000})\r\n/, '$1\n'), 'latin1');
}

function linkPrograms({ path, bin }) {
  const folder = `${path.slice(0, path.lastIndexOf('node_modules/'))}node_modules/.bin`;
  for (const [name, program] of Object.entries(bin)) {
    const file = join(path, program);
    if (!fs.existsSync(file)) continue;
    makeProgram(file);
    fs.mkdirSync(folder, { recursive: true });
    fs.symlinkSync(relative(folder, file), join(folder, name));
  }
}

try {
  process.umask(0o022);
  const waiting = fetchMissing();
  for (const one of packages) {
    await waiting.get(one.sha512);
    const bytes = fs.readFileSync(contentOf(one.sha512));
    if (!isSame(bytes, one.sha512)) throw new Error('the cache is damaged');
    unpack(gunzipSync(bytes, { maxOutputLength: LIMITS.unpackedBytes }), one.path);
  }
  for (const one of packages) linkPrograms(one);
  fs.mkdirSync('node_modules', { recursive: true });
  fs.writeFileSync('node_modules/.package-lock.json', installed);
  for (const agent of Object.values(agents)) agent.destroy();
  const fresh = waiting.size === 0 ? '' : `, ${waiting.size} of them fetched`;
  console.log(`added ${packages.length} packages by the lock file in ${((Date.now() - begun) / 1000).toFixed(1)} s${fresh}`);
} catch (error) {
  unable(error.message);
}
