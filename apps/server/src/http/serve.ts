import { Readable } from 'node:stream';
import { type Answered, ApiError, joinFieldErrors, type Received, type Route, readFields, takesIdempotencyKey } from '@paddock/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod';
import type { Audit } from '../audit/audit.ts';
import { beginCall, type Call } from '../audit/call.ts';
import { recordedInput } from '../audit/recorded-input.ts';
import type { Blob } from '../blobs/blobs.ts';
import { type IdPrefix, newId, uuidv7 } from '../ids.ts';
import type { Actor, Authenticate, Person } from './authenticate.ts';
import { withDeadline } from './deadline.ts';
import type { DeviceCookie } from './device-cookie.ts';
import { type MustMatch, mustMatchBy } from './entity-tag.ts';
import type { Idempotency } from './idempotency.ts';
import { formatLocation } from './location.ts';
import { asApiError } from './problems.ts';
import { unstorable } from './text.ts';
import { receiveForm, type Upload } from './upload.ts';

export interface Caller {
  ip: string;
  user_agent: string;
  /** Aborts when the caller disconnects. */
  signal: AbortSignal;
  /** A new id; the same id when a request with an Idempotency-Key is repeated after a crash. */
  newId(prefix: IdPrefix): string;
  /** Device tokens that this browser sent; they may be forged. */
  devices: readonly string[];
  /** Adds this token to the browser's device cookie. */
  keepDevice(token: string): void;
}
export interface SignedIn extends Caller {
  actor: Actor;
}
interface BySession extends Caller {
  actor: Person;
}
/** For calls that take If-Match. */
interface Matching {
  mustMatch: MustMatch;
}
type Context<R extends Route> = (R['access'] extends 'public' ? Caller : R['access'] extends 'session' ? BySession : SignedIn) &
  (R extends { file: string } ? { upload: Upload } : unknown) &
  (R extends { if_match: true } ? Matching : unknown);
type Answer<R extends Route> = R extends { download: object } ? Download : Answered<R>;
export type Handlers<G extends Record<string, Route>> = {
  [N in keyof G]: (input: Received<G[N]>, context: Context<G[N]>) => Promise<Answer<G[N]>>;
};

/** Result of a download handler: a stream of text or bytes, and the file name. */
interface Download {
  file_name: string;
  content_type: string;
  body: Readable;
}

export interface ServeDeps {
  authenticate: Authenticate;
  deviceCookie: DeviceCookie;
  idempotency: Idempotency;
  audit: Audit;
  /** Runs work that frees space. On a full disk it gets some of the reserved space. */
  withRoom: <T>(work: () => Promise<T>) => Promise<T>;
  receiveBlob: (stream: Readable) => Promise<Blob>;
  /** Removes an upload that no row names. */
  dropUpload: (blob_id: string) => Promise<void>;
}
export type RouteSet = (app: FastifyInstance, doors: ServeDeps) => void;

/** Binds a group of contract routes to handlers. A missing or extra handler does not compile. */
export const serve =
  <G extends Record<string, Route>>(routes: G, handlers: Handlers<G>): RouteSet =>
  (app, doors) => {
    const closing = new AbortController();
    // A stream may last for minutes, which a shutdown does not wait for.
    app.addHook('preClose', async () => closing.abort());
    for (const [name, route] of Object.entries(routes)) {
      const handle = handlers[name as keyof G] as unknown as Handle;
      app.route({
        method: route.method,
        url: `/api/v1${route.path}`,
        ...(route.body_bytes ? { bodyLimit: route.body_bytes } : {}),
        handler(request, reply) {
          const call = callOf(route, request);
          return doors.audit.runInCall(call, () => answer({ route, handle, doors, call, closing: closing.signal }, request, reply));
        },
      });
    }
  };

type Handle = (input: unknown, context: Record<string, unknown>) => Promise<unknown>;

interface Bound {
  route: Route;
  handle: Handle;
  doors: ServeDeps;
  call: Call;
  /** Aborts when the server closes. */
  closing: AbortSignal;
}
interface Sent {
  fields: object;
  upload?: Upload;
}

async function answer({ route, handle, doors, call: recorded, closing }: Bound, request: FastifyRequest, reply: FastifyReply) {
  const actor = route.access === 'public' ? undefined : await withDeadline(doors.authenticate(request, reply, route));
  const hangUp = new AbortController();
  reply.raw.once('close', () => hangUp.abort());
  const sent = await readInput(route, doors, request);
  try {
    const input = parsed(route, { ...withoutFormerNames(route, sent.fields), ...Object(request.params) }); // the path wins
    showInput(recorded, route, input);
    const signal = route.stream ? AbortSignal.any([hangUp.signal, closing]) : hangUp.signal;
    const mustMatch = mustMatchBy(header(request, 'if-match'));
    const known = { actor, upload: sent.upload, ...readCaller(request, reply, doors.deviceCookie), signal, mustMatch };
    const call = async (seed: string) => {
      const result = await handle(input, { ...known, newId: idsFrom(seed) });
      await doors.audit.noteRead(recorded).catch((error: unknown) => {
        (result as Partial<Download> | null)?.body?.destroy?.();
        throw error;
      });
      return route.download || route.stream ? result : z.parse(route.output, result); // strips fields that the contract does not name
    };
    if (route.download) return await sendDownload(reply, (await call(uuidv7())) as Download);
    if (route.stream) return await sendStream(reply, route, (await call(uuidv7())) as AsyncIterable<unknown>);
    const status = route.status ?? 200;
    const key = takesIdempotencyKey(route) ? header(request, 'idempotency-key') : undefined;
    const scope = actor?.team_id ?? 'public';
    const work = async () => {
      if (key) return doors.idempotency.once({ scope, key, route, input, file: sent.upload?.blob.sha256, status, call });
      return { status, body: await call(uuidv7()), replayed: false };
    };
    const done = await withDeadline(makesRoom(route) ? doors.withRoom(work) : work());
    if (done.replayed) {
      reply.header('idempotency-replayed', 'true');
      if (sent.upload) await doors.dropUpload(sent.upload.blob.id);
    }
    const location = done.status === 201 ? formatLocation(route, request.params, done.body) : undefined;
    if (location) reply.header('location', location);
    const { etag } = Object(route.etag && done.body) as { etag?: string };
    if (etag) reply.header('etag', etag); // absent in a stored response of a release without entity tags
    return await reply.code(done.status).send(done.status === 204 ? undefined : done.body);
  } catch (error) {
    // After an unknown error a row may be about to name the upload, so the sweep decides later.
    const { status, code } = asApiError(error);
    if (sent.upload && (status < 500 || code === 'disk_full')) await doors.dropUpload(sent.upload.blob.id);
    throw error;
  }
}

const callOf = ({ audit, method, path }: Route, { ip, id, headers }: FastifyRequest): Call =>
  beginCall({ action: audit, name: `${method} ${path}`, ip, user_agent: headers['user-agent'], request_id: id });

function showInput(call: Call, { path }: Route, input: unknown): void {
  const { id, backup_id } = Object(input) as { id?: string; backup_id?: string };
  const asked = backup_id ?? id;
  if (asked !== undefined) call.target_id = asked;
  if (call.action) call.input = recordedInput(call.action, path, input);
}

function parsed(route: Route, fields: object): unknown {
  const read = readFields(route.input, fields);
  if ('errors' in read) throw new ApiError('input_invalid', { errors: read.errors, detail: joinFieldErrors(read.errors) });
  const texts = unstorable(read.data);
  if (texts.length) throw new ApiError('input_invalid', { errors: texts });
  return read.data;
}

/** Renames fields that were sent under former names. */
function withoutFormerNames({ renamed }: Route, sent: object): object {
  if (!renamed) return sent;
  const fields: Record<string, unknown> = { ...sent };
  for (const [former, name] of Object.entries(renamed)) {
    if (!Object.hasOwn(fields, former)) continue;
    if (Object.hasOwn(fields, name)) throw new ApiError('input_invalid', { errors: [{ path: former, message: `Give ${name} alone` }] });
    fields[name] = fields[former];
    delete fields[former];
  }
  return fields;
}

function readCaller(request: FastifyRequest, reply: FastifyReply, cookie: DeviceCookie): Omit<Caller, 'signal' | 'newId'> {
  const devices = cookie.read(request.headers.cookie);
  return {
    ip: request.ip,
    user_agent: (header(request, 'user-agent') ?? '').slice(0, 300),
    devices,
    keepDevice: (token) => void reply.header('set-cookie', cookie.write(token, devices)),
  };
}

/** Only the first id is derived from the seed: it is the id of the object that the call creates. */
function idsFrom(seed: string): Caller['newId'] {
  let ids = 0;
  return (prefix) => newId(prefix, ids++ === 0 ? seed : uuidv7());
}

/** Calls that must work on a full disk: deletions and the calls before them, such as signing in and stopping writers. */
const makesRoom = ({ method, frees }: Route) => method === 'DELETE' || frees === true;

async function readInput(route: Route, doors: ServeDeps, request: FastifyRequest): Promise<Sent> {
  if (route.file) return receiveForm(request, { fileField: route.file, receive: doors.receiveBlob, drop: doors.dropUpload });
  if (route.method === 'GET' || route.method === 'DELETE') return { fields: singleValues(request.query) };
  return { fields: bodyObject(request.body) };
}

// A repeated query parameter would reach handlers as a list; it is a mistake or an attack, never a meaning.
function singleValues(query: unknown): Record<string, unknown> {
  const fields = Object(query) as Record<string, unknown>;
  for (const [name, value] of Object.entries(fields))
    if (Array.isArray(value)) throw new ApiError('input_invalid', { errors: [{ path: name, message: 'Give this parameter once' }] });
  return fields;
}

function bodyObject(body: unknown): object {
  if (body === undefined || body === null) return {};
  if (typeof body !== 'object' || Array.isArray(body))
    throw new ApiError('input_invalid', { errors: [{ path: '', message: 'Send a JSON object' }] });
  return body;
}

const header = (request: FastifyRequest, name: string) => {
  const value = request.headers[name];
  return Array.isArray(value) ? value[0] : value;
};

const sendDownload = (reply: FastifyReply, download: Download) =>
  reply
    .header('content-type', download.content_type)
    .header('content-disposition', `attachment; filename="${download.file_name.replace(/[^\w.-]/g, '_')}"`)
    .send(download.body);

/** Longer than any stream takes: a caller that reads more slowly is cut off. */
const maxStreamMs = 150_000;

/** Sends a line for each result. The next result is requested from the handler only when the caller reads more. */
function sendStream(reply: FastifyReply, route: Route, results: AsyncIterable<unknown>) {
  const lines = async function* () {
    for await (const result of results) yield `${JSON.stringify(z.parse(route.output, result))}\n`;
  };
  return reply
    .header('content-type', 'application/x-ndjson; charset=utf-8')
    .header('x-accel-buffering', 'no') // a buffering proxy would hold the first lines back
    .send(Readable.from(lines(), { objectMode: false, highWaterMark: 64 * 1024, signal: AbortSignal.timeout(maxStreamMs) }));
}
