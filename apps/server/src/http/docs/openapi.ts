import { type Contract, type Route, scopes, takesIdempotencyKey, unrepeatable } from '@paddock/contract';
import { keyLimits } from '@paddock/contract/limits';
import { type Components, createComponents } from './components.ts';
import { refTo, type Schema } from './schema.ts';
import { accessSentence } from './scopes.ts';

const tokens = [
  'A session token from POST /auth/login, which may do all, or an API key (`pk_live_…`, `pk_test_…`), which may do what its scopes name.',
  `A key may make ${keyLimits.live} requests a minute, a test key ${keyLimits.test}; answers to it carry RateLimit-Limit, RateLimit-Remaining and RateLimit-Reset.`,
].join(' ');

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  deprecated?: true;
  schema: Schema;
}

type Content = Record<string, { schema: Schema }>;

export interface Answer {
  description: string;
  headers?: Record<string, { description: string; schema: Schema }>;
  content?: Content;
}

export interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  security?: { bearer: never[] }[];
  'x-paddock-scope'?: string;
  parameters?: Parameter[];
  requestBody?: { required: true; content: Content };
  responses: Record<string, Answer>;
}

export type OpenApi = ReturnType<typeof openApi>;

/** The OpenAPI 3.1 document of the contract: every route and nothing else. */
export function openApi(contract: Contract, version: string) {
  const components = createComponents(contract);
  const paths: Record<string, Record<string, Operation>> = {};
  for (const [feature, routes] of Object.entries(contract))
    for (const [name, route] of Object.entries(routes)) {
      const path = templateOf(route.path);
      paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation({ feature, name, route }, components) };
    }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Paddock API',
      version,
      description: [
        'Deploy AI agents from a ZIP, watch them live and govern them.',
        'A path is answered 405 with the header Allow by every method that is not listed for it, OPTIONS and TRACE too, since no other origin may call;',
        'HEAD is answered wherever GET is. Every other path is 404 by every method. A call without a required field is 422, also without a body.',
      ].join(' '),
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/api/v1' }],
    paths,
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: tokens,
        },
      },
      schemas: sortByName({ ...components.schemas, FieldError: fieldErrorSchema, Problem: problemSchema }),
      responses: { MethodNotAllowed: methodNotAllowed },
    },
  };
}

/** `/projects/:id` in OpenAPI's notation: `/projects/{id}`. */
export const templateOf = (path: string) => path.replace(/:(\w+)/g, '{$1}');

const sortByName = <T>(entries: Record<string, T>): Record<string, T> =>
  Object.fromEntries(Object.entries(entries).sort(([a], [b]) => (a < b ? -1 : 1)));

interface Call {
  feature: string;
  name: string;
  route: Route;
}

function operation(call: Call, components: Components): Operation {
  const { feature, name, route } = call;
  const { parameters, body } = describeInput(call, components);
  const described: Omit<Operation, 'responses'> = {
    operationId: `${feature}.${name}`,
    tags: [feature],
    summary: route.summary,
    description: [...(route.note === undefined ? [] : [route.note]), accessSentence(route.access), ...repeatSentence(route)].join(' '),
  };
  described.security = route.access === 'public' ? [] : [{ bearer: [] }];
  if (route.access in scopes) described['x-paddock-scope'] = route.access;
  if (parameters.length > 0) described.parameters = parameters;
  if (body)
    described.requestBody = { required: true, content: { [route.file ? 'multipart/form-data' : 'application/json']: { schema: body } } };
  return { ...described, responses: describeResponses(call, components) };
}

/** States for a POST without Idempotency-Key that it takes none, and why. */
function repeatSentence(route: Route): string[] {
  const reason = route.method === 'POST' ? unrepeatable(route) : undefined;
  return reason === undefined ? [] : [`Takes no Idempotency-Key. ${reason}.`];
}

const idempotencyKey: Parameter = { name: 'Idempotency-Key', in: 'header', required: false, schema: { type: 'string', maxLength: 200 } };
const ifMatch: Parameter = {
  name: 'If-Match',
  in: 'header',
  required: false,
  schema: {
    type: 'string',
    description: 'The `etag` of what was read; anything else that is there now is left as it is, with 412. `*` fits whatever is there',
  },
};

/** Divides the input's fields into path parameters, and query parameters (GET, DELETE) or the body. */
function describeInput({ feature, name, route }: Call, components: Components): { parameters: Parameter[]; body: Schema | undefined } {
  const { fields, body } = components.input(feature, name);
  const { properties: known = {}, required = [], oneOf } = fields;
  const properties = { ...known };
  for (const [former, current] of Object.entries(route.renamed ?? {}))
    properties[former] = { ...properties[current], description: `Former name of \`${current}\``, deprecated: true };
  const inPath = [...route.path.matchAll(/:(\w+)/g)].map(([, key]) => key!);
  const others = Object.keys(properties).filter((key) => !inPath.includes(key));
  const parameters = inPath.map(
    (key): Parameter => ({ name: key, in: 'path', required: true, schema: properties[key] ?? { type: 'string' } }),
  );
  if (route.if_match) parameters.push(ifMatch);
  if (route.method === 'GET' || route.method === 'DELETE') {
    for (const key of others) {
      const deprecated = properties[key]!.deprecated ? { deprecated: true as const } : {};
      parameters.push({ name: key, in: 'query', required: required.includes(key), ...deprecated, schema: properties[key]! });
    }
    return { parameters, body: undefined };
  }
  if (takesIdempotencyKey(route)) parameters.push(idempotencyKey);
  const sent = Object.fromEntries(others.map((key) => [key, properties[key]!]));
  const needed = required.filter((key) => others.includes(key));
  if (route.file) {
    sent[route.file] = { type: 'string', format: 'binary' };
    needed.push(route.file);
  }
  if (Object.keys(sent).length === 0) return { parameters, body: undefined };
  const schema: Schema = { type: 'object', properties: sent };
  if (needed.length > 0) schema.required = needed;
  schema.additionalProperties = false;
  return { parameters, body: body(oneOf ? { ...schema, oneOf } : schema) };
}

function describeResponses(call: Call, components: Components): Record<string, Answer> {
  const { route } = call;
  return {
    [route.status ?? 200]: success(call, components),
    ...(route.access === 'public' ? {} : refusals(route.access)),
    ...(route.if_match ? { 412: refusal('It has another `etag` than If-Match names; nothing was changed') } : {}),
    default: refusal('A problem'),
  };
}

const refusal = (description: string): Answer => ({
  description,
  content: { 'application/problem+json': { schema: refTo('Problem') } },
});

const methodNotAllowed = {
  ...refusal('The path does not take this method'),
  headers: { Allow: { description: 'The methods that it takes', schema: { type: 'string' } } },
};

const refusals = (access: Route['access']) => ({
  401: { ...refusal('No token, or one that is unknown, revoked or over'), headers: bearerChallenge },
  ...(access === 'any'
    ? {}
    : { 403: refusal(access === 'session' ? 'An API key, which may not do this' : `An API key without ${access}`) }),
  429: {
    ...refusal('The API key has made as many requests as it may make in a minute'),
    headers: { 'Retry-After': { description: 'Seconds after which it may go on', schema: { type: 'integer' } } },
  },
});

const bearerChallenge = {
  'WWW-Authenticate': {
    description: 'Bearer; with error="invalid_token" where a token was sent that is not good',
    schema: { type: 'string' },
  },
};

function success({ feature, name, route }: Call, components: Components): Answer {
  if (route.status === 204) return { description: 'Done' };
  if (route.download) {
    const { as, types } = route.download;
    const schema = as === 'bytes' ? { type: 'string' as const, format: 'binary' } : { type: 'string' as const };
    return { description: 'A file', content: Object.fromEntries(types.map((type) => [type, { schema }])) };
  }
  const schema = components.answer(feature, name);
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

const fieldErrorSchema: Schema = {
  type: 'object',
  required: ['path', 'message'],
  properties: { path: { type: 'string' }, message: { type: 'string' } },
};

const problemSchema: Schema = {
  type: 'object',
  required: ['type', 'title', 'status', 'detail', 'code'],
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    code: { type: 'string', description: 'Why it failed. `/docs/errors` lists the known codes; releases add more' },
    errors: { type: 'array', items: refTo('FieldError') },
    request_id: { type: 'string' },
  },
};
