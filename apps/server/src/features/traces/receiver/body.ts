import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { ReceiverLimits } from './limits.ts';
import { Rejected } from './rejected.ts';

const unpack = promisify(gunzip);

interface Bounds extends Pick<ReceiverLimits, 'bodyBytes' | 'unpackedBytes'> {
  /** Called with the bytes that were read and unpacked, also for a body that is refused. */
  charge: (bytes: number) => void;
}

/** The unpacked body. Throws Rejected. */
export async function readBody(request: IncomingMessage, { bodyBytes, unpackedBytes, charge }: Bounds): Promise<Buffer> {
  const encoding = request.headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity' && encoding !== 'gzip')
    throw new Rejected(415, `Content-Encoding ${encoding.slice(0, 40)} is not known here; send gzip or none.`);
  const announced = Number(request.headers['content-length'] ?? 0);
  if (announced > bodyBytes) {
    charge(announced);
    throw tooLarge(bodyBytes);
  }
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    length += part.length;
    charge(part.length);
    if (length > bodyBytes) throw tooLarge(bodyBytes);
    parts.push(part);
  }
  const body = Buffer.concat(parts);
  if (encoding === 'identity') return body;
  try {
    const unpacked = await unpack(body, { maxOutputLength: unpackedBytes });
    charge(unpacked.length);
    return unpacked;
  } catch (error) {
    charge(unpackedBytes);
    if ((error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(unpackedBytes);
    throw new Rejected(400, 'The body is not valid gzip.');
  }
}

const tooLarge = (most: number) =>
  new Rejected(413, `One sending may have ${most / 1024 ** 2} MiB. Let the exporter send smaller batches.`);
