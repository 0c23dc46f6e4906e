import { ApiError, type ErrorCode, errors, type Problem } from '@paddock/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isConnectionError, isDiskFull, isOverload } from '../db/connect.ts';

/** Every error is sent as `application/problem+json`; an unknown one is logged once and sent as `internal` with the request id. */
export function sendProblems(app: FastifyInstance) {
  app.setErrorHandler((thrown, request, reply) => sendProblem(request, reply, asApiError(thrown)));
}

export function sendProblem(request: FastifyRequest, reply: FastifyReply, error: ApiError) {
  if (error.status >= 500) request.log.error({ err: error.cause ?? error, code: error.code }, 'request failed');
  if (error.retry_after_s !== undefined) reply.header('retry-after', String(Math.max(1, Math.ceil(error.retry_after_s))));
  const told = challenge(error, request.headers.authorization !== undefined);
  if (told) reply.header('www-authenticate', told);
  return reply.code(error.status).header('content-type', 'application/problem+json').send(problem(error, request.id));
}

/** The WWW-Authenticate header: how to sign in (RFC 9110), and the error of a token that was sent (RFC 6750). */
export function challenge({ status, code }: ApiError, hasToken: boolean): string | undefined {
  if (code === 'scope_missing') return `${bearer}, error="insufficient_scope"`;
  if (status !== 401) return undefined;
  return code === 'not_signed_in' && hasToken ? `${bearer}, error="invalid_token"` : bearer;
}

const bearer = 'Bearer realm="Paddock"';

export function problem(error: ApiError, request_id: string): Problem {
  const code = error.code as ErrorCode;
  return {
    type: `/docs/errors#${code}`,
    title: errors[code].title,
    status: error.status,
    detail: error.message,
    code,
    ...(error.errors ? { errors: error.errors } : {}),
    request_id,
  };
}

/** The framework's own refusals, mapped to our codes. */
const known: Record<string, ErrorCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'body_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'media_type_unsupported',
  FST_ERR_CTP_INVALID_JSON_BODY: 'json_invalid',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'json_invalid',
  FST_INVALID_MULTIPART_CONTENT_TYPE: 'media_type_unsupported',
  FST_ERR_BAD_URL: 'route_not_found',
  FST_ERR_MAX_PARAM_LENGTH: 'route_not_found',
};

/** Errors when the process has reached its limit of open files and connections. */
const noDescriptors = new Set(['EMFILE', 'ENFILE']);

export function asApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown;
  const { code = '', statusCode } = Object(thrown) as { code?: string; statusCode?: number };
  const mapped = known[code];
  if (mapped) return new ApiError(mapped, { cause: thrown });
  if (thrown instanceof SyntaxError && statusCode === 400) return new ApiError('json_invalid', { cause: thrown });
  if (isDiskFull(thrown)) return new ApiError('disk_full', { cause: thrown });
  if (isConnectionError(thrown) || isOverload(thrown) || noDescriptors.has(code))
    return new ApiError('unavailable', { retry_after_s: 2, cause: thrown });
  return new ApiError('internal', { cause: thrown });
}
