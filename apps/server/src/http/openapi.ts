import { type Contract, errors, type Route, scopes } from '@paddock/contract';
import { keyLimits } from '@paddock/contract/limits';
import * as z from 'zod';
import { accessSentence } from './scopes.ts';

const tokens = [
  'A session token from POST /auth/login, which may do all, or an API key (`pk_live_…`, `pk_test_…`), which may do what its scopes name.',
  `A key may make ${keyLimits.live} requests a minute, a test key ${keyLimits.test}; answers to it carry RateLimit-Limit, RateLimit-Remaining and RateLimit-Reset.`,
].join(' ');

/** The OpenAPI 3.1 document of the contract: every route and nothing else. */
export function openApi(contract: Contract, version: string) {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [feature, routes] of Object.entries(contract))
    for (const [name, route] of Object.entries(routes)) {
      const path = route.path.replace(/:(\w+)/g, '{$1}');
      paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(feature, name, route) };
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
      schemas: { Problem: problemSchema },
      responses: { MethodNotAllowed: methodNotAllowed },
    },
  };
}

function operation(feature: string, name: string, route: Route) {
  const input = jsonSchema(route.input, 'input');
  const properties = (input.properties ?? {}) as Record<string, Schema>;
  const required = new Set(input.required as string[] | undefined);
  const inPath = [...route.path.matchAll(/:(\w+)/g)].map(([, key]) => key!);
  const rest = Object.keys(properties).filter((key) => !inPath.includes(key));
  const hasBody = route.method === 'POST' || route.method === 'PUT';
  const parameters = [
    ...inPath.map((key) => ({ name: key, in: 'path', required: true, schema: properties[key] ?? { type: 'string' } })),
    ...(hasBody ? [] : rest.map((key) => ({ name: key, in: 'query', required: required.has(key), schema: properties[key] }))),
    ...(route.method === 'POST'
      ? [{ name: 'Idempotency-Key', in: 'header', required: false, schema: { type: 'string', maxLength: 200 } }]
      : []),
  ];
  const body: Schema = {
    type: 'object',
    properties: {
      ...Object.fromEntries(rest.map((key) => [key, properties[key]])),
      ...(route.file ? { [route.file]: { type: 'string', format: 'binary' } } : {}),
    },
    required: [...rest.filter((key) => required.has(key)), ...(route.file ? [route.file] : [])],
  };
  return {
    operationId: `${feature}.${name}`,
    tags: [feature],
    summary: route.summary,
    description: accessSentence(route.access),
    ...(route.access === 'public' ? {} : { security: [{ bearer: [] }] }),
    ...(route.access in scopes ? { 'x-paddock-scope': route.access } : {}),
    ...(parameters.length ? { parameters } : {}),
    ...(hasBody && (rest.length || route.file)
      ? { requestBody: { required: true, content: { [route.file ? 'multipart/form-data' : 'application/json']: { schema: body } } } }
      : {}),
    responses: {
      [route.status ?? 200]: success(route),
      ...(route.access === 'public' ? {} : refusals(route.access)),
      default: refusal('A problem'),
    },
  };
}

const refusal = (description: string) => ({
  description,
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
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

function success(route: Route) {
  if (route.status === 204) return { description: 'Done' };
  if (route.download)
    return {
      description: 'A file',
      content: { 'text/plain': { schema: { type: 'string' } }, 'application/x-ndjson': { schema: { type: 'string' } } },
    };
  const content = { 'application/json': { schema: jsonSchema(route.output, 'output') } };
  return { description: 'Done', ...(route.location ? { headers: { Location: locationHeader(route.location) } } : {}), content };
}

const locationHeader = (location: string) => ({
  description: `Where it is found: /api/v1${location.replace(/:(\w+)/g, '{$1}')}`,
  schema: { type: 'string', format: 'uri-reference' },
});

type Schema = Record<string, unknown>;

function jsonSchema(schema: z.core.$ZodType, io: 'input' | 'output'): Schema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { target: 'draft-2020-12', io }) as Schema;
  return rest;
}

const problemSchema = {
  type: 'object',
  required: ['type', 'title', 'status', 'detail', 'code'],
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    code: { type: 'string', enum: Object.keys(errors) },
    errors: {
      type: 'array',
      items: { type: 'object', required: ['path', 'message'], properties: { path: { type: 'string' }, message: { type: 'string' } } },
    },
    request_id: { type: 'string' },
  },
};
