import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contract } from '@paddock/contract';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import * as z from 'zod';
import { jsonSchema, openApi } from './openapi.ts';

const document = openApi(contract, 'test');

test('the document is valid OpenAPI by the recommended rules of Redocly, with each reference resolved', async () => {
  const config = await createConfig({ extends: ['recommended'] });
  const problems = await lintFromString({ source: JSON.stringify(document), absoluteRef: '/openapi.json', config });
  const errors = problems.filter(({ severity }) => severity === 'error');
  assert.deepEqual(
    errors.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`),
    [],
  );
});

test('no schema refers to a definition of its own, which generated clients do not find', () => {
  assert.doesNotMatch(JSON.stringify(document), /"#\/\$defs\/|"\$defs"/);
  const evidence = jsonSchema(z.object({ any: z.json().meta({ description: 'What was seen' }) }), 'output');
  assert.deepEqual(evidence.properties, { any: { description: 'What was seen' } });
  type Tree = { children: Tree[] };
  const tree: z.ZodType<Tree> = z.object({ children: z.lazy(() => z.array(tree)) });
  assert.throws(() => jsonSchema(z.object({ tree }), 'output'), /holds itself and is not any value/);
});

type Node = Record<string, unknown>;

/** Every object of a schema that rejects unknown enum values or fields. */
function closedIn(node: unknown, path: string): string[] {
  if (typeof node !== 'object' || node === null) return [];
  const isClosed = 'enum' in node || (node as Node).additionalProperties === false;
  return [...(isClosed ? [path] : []), ...Object.entries(node).flatMap(([name, inner]) => closedIn(inner, `${path}/${name}`))];
}

test('answers take words, codes and fields that are newer than the document, and tell the known ones', () => {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ call: `${method} ${path}`, operation })),
  );
  const closed = operations.flatMap(({ call, operation }) => closedIn(operation.responses, call));
  assert.deepEqual([...closed, ...closedIn(document.components, 'components')], []);
  const { schema } = document.paths['/deployments/{id}']!.get!.responses[200]!.content!['application/json']!;
  assert.equal(schema.properties!.status!.type, 'string');
  assert.match(schema.properties!.status!.description!, /Known values: .*`active`.*`failed`/);
});

test('what callers send stays closed: the document lists the words that a call takes', () => {
  const { parameters } = document.paths['/deployments']!.get!;
  assert.deepEqual(parameters!.find(({ name }) => name === 'environment')!.schema.enum, ['production', 'preview']);
  const body = document.paths['/channels']!.post!.requestBody!.content['application/json']!.schema;
  assert.deepEqual(body.properties!.type!.enum, ['webhook', 'slack']);
});
