import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, gzip, constants as zlib } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { acceptedCodings, type Coding } from './accepted-codings.ts';

/** Content that is the same for everybody and holds no secret: nothing else may be compressed (BREACH). */
export interface File {
  type: string;
  cache: string;
  body: Buffer;
  /** Beginning of the entity tag; each form has its own tag. */
  hash: string;
  headers?: Record<string, string>;
  /** Undefined if the compressed form saves too little. */
  form: (coding: 'br' | 'gzip') => Promise<Buffer | undefined>;
}

export interface Facts {
  type: string;
  cache: string;
  headers?: Record<string, string>;
}

/** Beyond this size the strongest compression takes seconds: fine in a build, too long for the first visitor. */
const strongestBytes = 256 * 1024;

/** A text generated at the server's start. Its compressed forms are created once, at the first request, off the event loop. */
export function prepareFile(text: string | Buffer, facts: Facts): File {
  const body = Buffer.from(text);
  const isSmall = body.length <= strongestBytes;
  const make = {
    br: () =>
      promisify(brotliCompress)(body, {
        params: { [zlib.BROTLI_PARAM_QUALITY]: isSmall ? 11 : 6, [zlib.BROTLI_PARAM_SIZE_HINT]: body.length },
      }),
    gzip: () => promisify(gzip)(body, { level: isSmall ? 9 : 6 }),
  };
  const made: Partial<Record<'br' | 'gzip', Promise<Buffer>>> = {};
  return { ...facts, body, hash: hashOf(body), form: (coding) => (made[coding] ??= make[coding]()) };
}

export const hashOf = (body: Buffer) => createHash('sha256').update(body).digest('base64url').slice(0, 22);

/** Serves a file at an address, to GET and HEAD. */
export function serveFile(app: FastifyInstance, url: string, find: () => File): void {
  app.get(url, (request, reply) => sendFile(request, reply, find()));
}

/**
 * Sends the file in the shortest form that the caller accepts. Ranges are not supported, and a request for one gets the whole file: parts of
 * different forms must never be combined.
 */
export async function sendFile(request: FastifyRequest, reply: FastifyReply, file: File): Promise<FastifyReply> {
  const [coding, body] = await chosenForm(file, request.headers['accept-encoding']);
  const tag = `"${file.hash}${coding === 'identity' ? '' : `-${coding}`}"`;
  reply.headers({ vary: 'Accept-Encoding', etag: tag, 'accept-ranges': 'none', 'cache-control': file.cache, ...file.headers });
  if (isKnown(request.headers['if-none-match'], tag)) return reply.code(304).send();
  if (coding !== 'identity') reply.header('content-encoding', coding);
  return reply.type(file.type).send(body);
}

async function chosenForm(file: File, header: string | string[] | undefined): Promise<[Coding, Buffer]> {
  for (const coding of acceptedCodings(header?.toString())) {
    const body = coding === 'identity' ? file.body : await file.form(coding);
    if (body) return [coding, body];
  }
  return ['identity', file.body];
}

/** Weak comparison, as specified for If-None-Match. */
function isKnown(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  const known = header.split(',').map((each) => each.trim().replace(/^W\//, ''));
  return known.includes('*') || known.includes(tag);
}
