import { basename, dirname, resolve } from 'node:path';
import { readBelow, statBelow, walkBelow } from '@paddock/safe-files';

/** Maximum size of a file with many entries, and of a response from an address. */
const maxFileBytes = 256 * 1024 ** 2;
/** A JSON array is parsed at once, which takes many times its size; lines are parsed one by one. */
const maxArrayBytes = 96 * 1024 ** 2;
const maxEntryBytes = 8 * 1024 ** 2;
const maxFiles = 1_000_000;
const fetchMs = 120_000;

/**
 * Reads the entries of an OSV database: a file (array or lines of JSON), a folder of such files, or an https address of one. Throws the
 * reason when it cannot be read.
 */
export async function* readEntries(source: string): AsyncGenerator<unknown> {
  if (/^https?:/.test(source)) {
    yield* inBytes(await fetchSource(source), source);
    return;
  }
  const path = resolve(source);
  const [folder, name] = [dirname(path), basename(path)];
  if (statBelow(folder, name)?.kind === 'folder') {
    for (const { path: file, kind } of walkBelow(path, maxFiles)) {
      if (kind !== 'file' || !/\.(?:json|jsonl|ndjson)$/i.test(file)) continue;
      const bytes = await readBelow(path, file, maxFileBytes);
      if (bytes) yield* inBytes(bytes, file);
    }
    return;
  }
  const bytes = await readBelow(folder, name, maxFileBytes);
  if (!bytes) throw new Error(`There is nothing at ${source}.`);
  yield* inBytes(bytes, source);
}

async function fetchSource(url: string): Promise<Buffer> {
  const response = await fetch(url, { signal: AbortSignal.timeout(fetchMs) });
  if (!response.ok || !response.body) throw new Error(`${url} answered ${response.status}.`);
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of response.body) {
    bytes += piece.length;
    if (bytes > maxFileBytes) throw new Error(`${url} answered more than ${maxFileBytes / 1024 ** 2} MiB.`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

function* inBytes(bytes: Buffer, name: string): Generator<unknown> {
  const whole = bytes.length <= maxEntryBytes || startsAsArray(bytes) ? parsed(bytes, name) : undefined;
  if (Array.isArray(whole)) yield* whole as unknown[];
  else if (whole !== undefined) yield whole;
  else yield* inLines(bytes, name);
}

/** Undefined when this is not one JSON text, but perhaps lines of them. */
function parsed(bytes: Buffer, name: string): unknown {
  if (bytes.length > maxArrayBytes)
    throw new Error(`${name} is one JSON text of more than ${maxArrayBytes / 1024 ** 2} MiB. Write an entry a line.`);
  try {
    return JSON.parse(bytes.toString('utf8')) as unknown;
  } catch (error) {
    if (startsAsArray(bytes)) throw new Error(`${name} is not JSON: ${(error as Error).message}`, { cause: error });
    return undefined;
  }
}

const startsAsArray = (bytes: Buffer) => bytes.subarray(0, 100).toString('utf8').trimStart().startsWith('[');

function* inLines(bytes: Buffer, name: string): Generator<unknown> {
  for (let from = 0, number = 1; from < bytes.length; number++) {
    const end = bytes.indexOf(10, from);
    const line = bytes.subarray(from, end < 0 ? bytes.length : end);
    from = end < 0 ? bytes.length : end + 1;
    if (line.length > maxEntryBytes) throw new Error(`Line ${number} of ${name} is longer than ${maxEntryBytes / 1024 ** 2} MiB.`);
    const text = line.toString('utf8').trim();
    if (text === '') continue;
    try {
      yield JSON.parse(text);
    } catch (error) {
      throw new Error(`Line ${number} of ${name} is not JSON.`, { cause: error });
    }
  }
}
