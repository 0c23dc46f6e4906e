import { ApiError, type ErrorCode, errors, type Problem } from '@paddock/contract/errors';

/** The parts of an HTTP response that `parseAnswer` reads, whatever sent the request. */
export interface HttpResponse {
  status: number;
  header: (name: string) => string | null;
  text: string;
  /** The downloaded file, which is the value of the call. */
  file?: string | Uint8Array | undefined;
}

/** Parses an HTTP response into its value, or throws the `ApiError` that its problem document describes. */
export function parseAnswer({ status, header, text, file }: HttpResponse): unknown {
  if (status >= 200 && status < 300) {
    if (file !== undefined) return file;
    return text === '' ? null : parseJson(text, header);
  }
  const problem = header('content-type')?.includes('json') ? parseProblem(text) : {};
  const seconds = Number(header('retry-after') ?? Number.NaN);
  const request_id = problem.request_id ?? header('x-request-id');
  throw new ApiError(knownCode(problem.code) ?? codeByStatus(status), {
    status,
    ...resolveDetail(problem, status),
    ...(problem.errors ? { errors: problem.errors } : {}),
    ...(Number.isFinite(seconds) ? { retry_after_s: seconds } : {}),
    ...(request_id ? { request_id } : {}),
  });
}

/** A 413 without a code comes from a proxy: Paddock itself sends a code and a detail. */
function resolveDetail({ detail, code }: Partial<Problem>, status: number): { detail?: string } {
  if (status === 413 && !code) return { detail: proxyRefused };
  return detail ? { detail } : {};
}
const proxyRefused =
  'A proxy in front of Paddock rejected a request of this size. Raise its limit, for example `client_max_body_size 260m` in nginx.';

function parseJson(text: string, header: (name: string) => string | null): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const request_id = header('x-request-id');
    throw new ApiError('internal', { detail: "The server's response is not valid JSON.", cause, ...(request_id ? { request_id } : {}) });
  }
}

function parseProblem(text: string): Partial<Problem> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : {};
  } catch (error) {
    console.warn("The server's error response is not valid JSON.", error);
    return {};
  }
}

const knownCode = (code: string | undefined): ErrorCode | undefined =>
  code !== undefined && Object.hasOwn(errors, code) ? (code as ErrorCode) : undefined;

/** For responses of a proxy, and for codes that are newer than this client. */
function codeByStatus(status: number): ErrorCode {
  if (status === 401) return 'not_signed_in';
  if (status === 404) return 'route_not_found';
  if (status === 413) return 'body_too_large';
  if (status === 429) return 'too_many_requests';
  return status === 502 || status === 503 || status === 504 ? 'unavailable' : 'internal';
}
