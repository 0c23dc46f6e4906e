import { type Contract, type Route, scopes, takesIdempotencyKey, unrepeatable } from '@paddock/contract';
import { keyLimits } from '@paddock/contract/limits';
import { type Components, createComponents } from './components.ts';
import { type Operation, type Parameter, templateOf } from './operation.ts';
import { describeResponses, methodNotAllowed } from './responses.ts';
import { bodySample } from './samples.ts';
import { refTo, type Schema, withoutRefs } from './schema.ts';
import { accessSentence } from './scopes.ts';

const tokens = [
  'A session token from POST /auth/login, which may do all, or an API key (`pk_live_…`, `pk_test_…`), which may do what its scopes name.',
  `A key may make ${keyLimits.live} requests a minute, a test key ${keyLimits.test}; answers to it carry RateLimit-Limit, RateLimit-Remaining and RateLimit-Reset.`,
].join(' ');

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
        'HEAD is answered wherever GET is. Every other path is 404 by every method. A call with a field or query parameter that it does not know, or without one that it requires, is 422.',
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
  if (body) {
    const type = route.file ? 'multipart/form-data' : 'application/json';
    const example = bodySample(described.operationId, withoutRefs(body.schema, components.schemas));
    described.requestBody = { required: body.isRequired, content: { [type]: { schema: body.schema, example } } };
  }
  return { ...described, responses: describeResponses(route, () => components.answer(feature, name)) };
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

interface Input {
  parameters: Parameter[];
  /** Without required fields the body may be left out, too: it counts as an empty object. */
  body: { schema: Schema; isRequired: boolean } | undefined;
}

/** Divides the input's fields into path parameters, and query parameters (GET, DELETE) or the body. */
function describeInput({ feature, name, route }: Call, components: Components): Input {
  const { fields, parameter, body } = components.input(feature, name);
  const { properties: known = {}, required = [], type: _, additionalProperties: __, ...condition } = fields;
  const properties = { ...known };
  for (const [former, current] of Object.entries(route.renamed ?? {}))
    properties[former] = { ...properties[current], description: `Former name of \`${current}\``, deprecated: true };
  const inPath = [...route.path.matchAll(/:(\w+)/g)].map(([, key]) => key!);
  const others = Object.keys(properties).filter((key) => !inPath.includes(key));
  const parameters = inPath.map((key): Parameter => ({ name: key, in: 'path', required: true, schema: parameter(properties[key]!) }));
  if (route.if_match) parameters.push(ifMatch);
  if (route.method === 'GET' || route.method === 'DELETE') {
    for (const key of others) {
      const deprecated = properties[key]!.deprecated ? { deprecated: true as const } : {};
      parameters.push({ name: key, in: 'query', required: required.includes(key), ...deprecated, schema: parameter(properties[key]!) });
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
  return {
    parameters,
    body: { schema: body({ ...schema, ...condition }), isRequired: needed.length > 0 || condition.if !== undefined },
  };
}

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
