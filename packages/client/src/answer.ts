import { ApiError, type ErrorCode, errors, type Problem } from '@paddock/contract/errors';

export interface Answer {
  status: number;
  header: (name: string) => string | null;
  text: string;
  /** The file of a download: the value itself. */
  file?: string | Uint8Array | undefined;
}

/** Parses an HTTP response into its value, or throws the `ApiError` that its problem document describes. */
export function parseAnswer({ status, header, text, file }: Answer): unknown {
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

/** Paddock itself explains why it refuses a size; a response without a code comes from a proxy. */
function resolveDetail({ detail, code }: Partial<Problem>, status: number): { detail?: string } {
  if (status === 413 && !code) return { detail: proxyRefused };
  return detail ? { detail } : {};
}
const proxyRefused =
  'A proxy in front of Paddock lets no request of this size through. Its limit has to be raised, e.g. client_max_body_size 260m of nginx.';

function parseJson(text: string, header: (name: string) => string | null): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const request_id = header('x-request-id');
    throw new ApiError('internal', { detail: 'The answer of the server is not readable.', cause, ...(request_id ? { request_id } : {}) });
  }
}

function parseProblem(text: string): Partial<Problem> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : {};
  } catch (error) {
    console.warn('An error answer of the server is not readable.', error);
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
