import type { Answered, Contract, Download, Route, Sent } from '@paddock/contract';

export interface CallOptions {
  signal?: AbortSignal;
  /** A repeated POST with the same key acts once. */
  idempotency_key?: string;
  /** Changes the resource only if it has this `etag`; otherwise throws precondition_failed. */
  if_match?: string;
  /** Uploads only: a share from 0 to 1. */
  onProgress?: (share: number) => void;
}

export interface ApiRequest {
  method: Route['method'];
  /** Path and query below `/api/v1`. */
  url: string;
  body?: unknown;
  form?: { fields: Record<string, unknown>; file_field: string; file: Blob; file_name: string };
  /** Undefined: the response is JSON. */
  download: Download['as'] | undefined;
  stream: boolean;
}
/**
 * Sends one request and returns the parsed response: a string or a Uint8Array for a download, null for an empty one, an iterable of its lines' values for a
 * stream (`streamLines`). Throws ApiError.
 */
export type Send = (request: ApiRequest, options: CallOptions) => Promise<unknown>;

// A file is sent beside the contract's JSON fields.
type Input<R extends Route> = Sent<R> & (R extends { file: string } ? { file: Blob; file_name: string } : unknown);
// biome-ignore lint/complexity/noBannedTypes: {} is the type that every optional-only object extends
type Call<R extends Route> =
  {} extends Input<R>
    ? (input?: Input<R>, options?: CallOptions) => Promise<Answered<R>>
    : (input: Input<R>, options?: CallOptions) => Promise<Answered<R>>;
export type Client<C extends Contract> = { [F in keyof C]: { [N in keyof C[F]]: Call<C[F][N]> } };

/** The typed API over any transport: fetch in the console and the command-line tool, the server itself in tests, memory in demo mode. */
export function createClient<C extends Contract>(contract: C, send: Send): Client<C> {
  return mapValues(contract, (routes) => mapValues(routes, (route) => caller(route, send))) as Client<C>;
}

const caller =
  (route: Route, send: Send) =>
  (input: Record<string, unknown> = {}, options: CallOptions = {}) => {
    const rest = { ...input };
    const path = route.path.replace(/:(\w+)/g, (_, name: string) => {
      const value = encodeURIComponent(String(rest[name]));
      delete rest[name];
      return value;
    });
    const request = { method: route.method, download: route.download?.as, stream: route.stream === true };
    if (route.file) {
      const { file, file_name, ...fields } = rest as { file: Blob; file_name: string };
      return send({ ...request, url: path, form: { fields, file_field: route.file, file, file_name } }, options);
    }
    if (route.method === 'POST' || route.method === 'PUT') return send({ ...request, url: path, body: rest }, options);
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(rest)) if (value !== undefined) query.set(name, String(value));
    return send({ ...request, url: query.size ? `${path}?${query}` : path }, options);
  };

const mapValues = <A, B>(from: Record<string, A>, to: (value: A) => B) =>
  Object.fromEntries(Object.entries(from).map(([name, value]) => [name, to(value)]));
