import { type ErrorCode, errors, type Route } from '@paddock/contract';
import { type Answer, templateOf } from './operation.ts';
import { everyCallsErrors, listErrors } from './reference/call-errors.ts';
import { refTo, type Schema } from './schema.ts';

/** The responses of a call: its success with the schema of the answer, and each status of an error that it may return. */
export function describeResponses(route: Route, answer: () => Schema): Record<string, Answer> {
  return { [route.status ?? 200]: success(route, answer), ...describeErrors(route), default: refusal('A problem') };
}

function success(route: Route, answer: () => Schema): Answer {
  if (route.status === 204) return { description: 'Done' };
  if (route.download) {
    const { as, types } = route.download;
    const schema = as === 'bytes' ? { type: 'string' as const, format: 'binary' } : { type: 'string' as const };
    return { description: 'A file', content: Object.fromEntries(types.map((type) => [type, { schema }])) };
  }
  const schema = answer();
  if (route.stream) return { description: 'Lines as they come, each a JSON object', content: { 'application/x-ndjson': { schema } } };
  const content = { 'application/json': { schema } };
  const headers: Answer['headers'] = {};
  if (route.location) headers.Location = locationHeader(route.location);
  if (route.etag) headers.ETag = { description: 'The field `etag` of the answer', schema: { type: 'string' } };
  return Object.keys(headers).length === 0 ? { description: 'Done', content } : { description: 'Done', headers, content };
}

const locationHeader = (location: string) => ({
  description: `Where it is found: /api/v1${templateOf(location)}`,
  schema: { type: 'string', format: 'uri-reference' },
});

/** A response for each status, with its codes. `default` stays for what is refused before a call is found, and for newer codes. */
function describeErrors(route: Route): Record<string, Answer> {
  const codes = new Map<number, ErrorCode[]>();
  for (const code of [...everyCallsErrors, ...listErrors(route)]) {
    const { status } = errors[code];
    codes.set(status, [...(codes.get(status) ?? []), code]);
  }
  const answers = [...codes].map(([status, ofStatus]): [string, Answer] => {
    const described = refusal(`${meanings[status]}: ${ofStatus.map((code) => `\`${code}\``).join(', ')}`);
    const headers = headersOf[status];
    return [String(status), headers ? { ...described, headers } : described];
  });
  return Object.fromEntries(answers);
}

/** The statuses of errors in words. */
const meanings: Record<number, string> = {
  400: 'The request cannot be read',
  401: 'No token, or one that is unknown, revoked or over; or a sign-in that failed',
  402: 'The plan does not allow it',
  403: 'The token may not do this, or a policy or a further proof stands against it',
  404: 'It does not exist, or another team has it',
  409: 'It does not fit the present state',
  410: 'It is no longer valid',
  412: 'It has another `etag` than If-Match names; nothing was changed',
  413: 'The body is too large',
  415: 'The body has another type than the call takes',
  422: 'A field is missing, unknown or wrong',
  429: 'Too many requests or attempts',
  500: 'A fault of Paddock',
  502: 'Another service failed',
  503: 'Not available at the moment',
  507: 'The disk is full; nothing was changed',
};

const retryAfter = { 'Retry-After': { description: 'Seconds after which it may go on', schema: { type: 'integer' } } };

const headersOf: Record<number, Answer['headers']> = {
  401: {
    'WWW-Authenticate': {
      description: 'Bearer; with error="invalid_token" where a token was sent that is not good',
      schema: { type: 'string' },
    },
  },
  429: retryAfter,
  503: retryAfter,
};

const refusal = (description: string): Answer => ({
  description,
  content: { 'application/problem+json': { schema: refTo('Problem') } },
});

export const methodNotAllowed = {
  ...refusal('The path does not take this method'),
  headers: { Allow: { description: 'The methods that it takes', schema: { type: 'string' } } },
};
