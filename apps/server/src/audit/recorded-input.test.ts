import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Contract, contract } from '@paddock/contract';
import * as z from 'zod';
import { bounded, cut, recordedFields, recordedInput } from './recorded-input.ts';

/** Names of fields that may contain credentials or free text. */
const unfit =
  /password|token|secret|code|(^|_)key$|value|url|email|confirmation|state|iss|search|^q$|body|headers|path|start|description|redirect/;

test('what a record shows of an input is a field of the call, and never one that may hold a secret or free text', () => {
  const routes = Object.values(contract as Contract).flatMap((group) => Object.values(group));
  for (const [action, fields] of Object.entries(recordedFields)) {
    const inputs = routes.filter((route) => route.audit === action).map(({ input }) => (input instanceof z.ZodObject ? input.shape : {}));
    assert.ok(inputs.length > 0, action);
    for (const field of fields) {
      assert.ok(
        inputs.some((shape) => field in shape),
        `no call of ${action} takes ${field}`,
      );
      // The name of a variable is not secret; its value is.
      if (!(action === 'variable.remove' && field === 'key')) assert.doesNotMatch(field, unfit, action);
    }
  }
});

test('a record of an update names the fields that were given, but not those of the path, nor their values', () => {
  const input = { id: 'prj_1', name: 'new', description: 'a secret', other: undefined };
  assert.deepEqual(recordedInput('project.update', '/projects/:id', input), { name: 'new', changed: ['name', 'description'] });
});

test('long texts and lists are cut, and a cut never divides a letter', () => {
  const text = 'a'.repeat(299);
  assert.equal(cut(`${text}\u{1F600}`), `${text}\uFFFD`);
  assert.deepEqual(bounded({ list: Array(200).fill('x'), deep: { a: { b: { c: { d: { e: 1 } } } } } }), {
    list: Array(100).fill('x'),
    deep: { a: { b: { c: { d: null } } } },
  });
});
