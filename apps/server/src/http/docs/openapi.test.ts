import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contract } from '@paddock/contract';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import * as z from 'zod';
import { openApi } from './openapi.ts';
import { jsonSchema, refName, type Schema } from './schema.ts';

const document = openApi(contract, 'test');

test('the document is valid OpenAPI by the recommended rules of Redocly, with each reference resolved and each example allowed', async () => {
  assert.deepEqual(await problemsOf(document), []);
});

test('each body has an example that its schema allows', async () => {
  const without = operations.flatMap(({ call, operation }) =>
    Object.values(operation.requestBody?.content ?? {}).flatMap(({ example }) => (example === undefined ? [call] : [])),
  );
  assert.deepEqual(without, []);
  // The rule that finds none above is one that finds something.
  const wrong = structuredClone(document);
  wrong.paths['/projects']!.post!.requestBody!.content['application/json']!.example = { name: 7, colour: 'red' };
  const [first = '', ...others] = await problemsOf(wrong);
  assert.match(`${first} ${others.join(' ')}`, /no-invalid-media-type-examples.*name.*colour|colour.*name/);
});

async function problemsOf(checked: typeof document): Promise<string[]> {
  const rules = { 'no-invalid-media-type-examples': 'error' } as const;
  const config = await createConfig({ extends: ['recommended'], rules });
  const problems = await lintFromString({ source: JSON.stringify(checked), absoluteRef: '/openapi.json', config });
  const errors = problems.filter(({ severity }) => severity === 'error');
  return errors.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`);
}

test('no schema refers to a definition of its own, which generated clients do not find', () => {
  assert.doesNotMatch(JSON.stringify(document), /"#\/\$defs\/|"\$defs"/);
  const evidence = jsonSchema(z.object({ any: z.json().meta({ description: 'What was seen' }) }), 'output');
  assert.deepEqual(evidence.properties, { any: { description: 'What was seen' } });
  type Tree = { children: Tree[] };
  const tree: z.ZodType<Tree> = z.object({ children: z.lazy(() => z.array(tree)) });
  assert.throws(() => jsonSchema(z.object({ tree }), 'output'), /holds itself and is not any value/);
});

const { schemas } = document.components;
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ call: `${method} ${path}`, operation })),
);
const bodies = operations.flatMap(({ operation }) => Object.values(operation.requestBody?.content ?? {}).map(({ schema }) => schema));

/** The parts of a value that are objects, each with its place. */
function* partsOf(value: unknown, place: string): Generator<{ part: Schema; place: string }> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield { part: value, place };
  for (const [name, inner] of Object.entries(value)) yield* partsOf(inner, `${place}/${name}`);
}
const namesIn = (value: unknown) => [...partsOf(value, '')].flatMap(({ part }) => refName(part) ?? []);

/** The components that values lead to, also through others. */
function componentsOf(values: unknown[]): Set<string> {
  const known = new Set<string>();
  const follow = (name: string) => {
    if (known.has(name)) return;
    known.add(name);
    namesIn(schemas[name]).forEach(follow);
  };
  values.flatMap(namesIn).forEach(follow);
  return known;
}

const ofAnswers = componentsOf(operations.map(({ operation }) => operation.responses));
const ofRequests = componentsOf([bodies, operations.map(({ operation }) => operation.parameters)]);

test('each object has one name: none is described twice, within an operation or within another object', () => {
  const inline = operations.flatMap(({ call, operation }) => [...partsOf(operation, call)]);
  for (const [name, schema] of Object.entries(schemas)) inline.push(...[...partsOf(schema, name)].filter(({ place }) => place !== name));
  assert.deepEqual(
    inline.flatMap(({ part, place }) => (part.type === 'object' && part.properties ? [place] : [])),
    [],
  );
  const byContent = new Map<string, string>();
  for (const [name, schema] of Object.entries(schemas)) {
    const content = JSON.stringify(schema);
    assert.equal(byContent.get(content), undefined, `${name} is the same: export it from the contract`);
    byContent.set(content, name);
  }
});

test('each component is used, and each reference leads to one', () => {
  assert.deepEqual([...new Set([...ofAnswers, ...ofRequests])].sort(), Object.keys(schemas));
});

test('names are those of the contract, of the call, or of the object around and the field', () => {
  const answerOf = (path: string, method: string) =>
    document.paths[path]![method]!.responses[method === 'post' ? 201 : 200]!.content!['application/json']!.schema;
  assert.deepEqual(answerOf('/projects', 'get'), { $ref: '#/components/schemas/ProjectsListResponse' });
  assert.deepEqual(answerOf('/projects', 'post'), { $ref: '#/components/schemas/Project' });
  assert.deepEqual(schemas['ProjectsListResponse']!.properties!.projects!.items, { $ref: '#/components/schemas/Project' });
  assert.deepEqual(
    Object.keys(schemas).filter((name) => name.startsWith('Project')),
    ['Project', 'ProjectBuildSettings', 'ProjectsCreateRequest', 'ProjectsListResponse', 'ProjectsUpdateRequest'],
  );
  assert.deepEqual(
    ['ModelProvider', 'ModelProviderInput'].map((name) => [ofAnswers.has(name), ofRequests.has(name)]),
    [
      [true, false],
      [false, true],
    ],
  );
});

const isClosed = ({ part }: { part: Schema }) => 'enum' in part || part.additionalProperties === false;

test('answers take words, codes and fields that are newer than the document, and tell the known ones', () => {
  const answers = [...ofAnswers].flatMap((name) => [...partsOf(schemas[name], name)]);
  for (const { call, operation } of operations) answers.push(...partsOf(operation.responses, call));
  assert.deepEqual(
    answers.filter(isClosed).map(({ place }) => place),
    [],
  );
  const { status } = schemas['Deployment']!.properties!;
  assert.equal(status!.type, 'string');
  assert.match(status!.description!, /Known values: .*`active`.*`failed`/);
});

test('what callers send stays closed: the document lists the words that a call takes, and each object refuses other fields', () => {
  const { parameters } = document.paths['/deployments']!.get!;
  assert.deepEqual(parameters!.find(({ name }) => name === 'environment')!.schema, { $ref: '#/components/schemas/Environment' });
  assert.deepEqual(schemas['Environment']!.enum, ['production', 'preview']);
  assert.deepEqual(schemas['ChannelsCreateRequest']!.properties!.type!.enum, ['webhook', 'slack']);
  assert.deepEqual(
    [...ofRequests].filter((name) => !isClosed({ part: schemas[name]! })),
    [],
  );
});

test('a body is one object: generators make no class of alternatives', () => {
  const names = bodies.map((schema) => refName(schema)!);
  assert.deepEqual(
    names.filter((name) => schemas[name]!.type !== 'object' || 'oneOf' in schemas[name]! || 'anyOf' in schemas[name]!),
    [],
  );
});

test('forms, lengths and times of the contract are in the document', () => {
  const { id, created_at } = schemas['Deployment']!.properties!;
  assert.deepEqual([id!.minLength, id!.maxLength, created_at!.format], [1, 64, 'date-time']);
  const { name } = schemas['ApiKeysCreateRequest']!.properties!;
  assert.deepEqual([name!.minLength, name!.maxLength, name!.pattern], [1, 100, '^\\P{Cc}*$']);
});

test('a file is answered with the types that it may have, and a call of everybody needs no token', () => {
  const { responses } = document.paths['/governance/audit-logs/export']!.post!;
  assert.deepEqual(Object.keys(responses[200]!.content!), ['application/json', 'application/x-ndjson', 'text/csv']);
  const open = operations.filter(({ operation }) => operation.security?.length === 0).map(({ call }) => call);
  assert.ok(open.includes('post /auth/login') && !open.includes('get /projects'), open.join());
});
