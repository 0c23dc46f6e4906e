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
