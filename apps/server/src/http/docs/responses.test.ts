import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Contract, contract, type ErrorCode, errors, type Route } from '@paddock/contract';
import * as z from 'zod';
import { openApi } from './openapi.ts';
import { templateOf } from './operation.ts';
import { everyCallsErrors, listErrors } from './reference/call-errors.ts';

const document = openApi(contract, 'test');
const calls = Object.values(contract as Contract).flatMap((group) => Object.values(group));
const responsesOf = ({ path, method }: Route) => document.paths[templateOf(path)]![method.toLowerCase()]!.responses;

test('each call lists the status of each error that it can return, with its codes, and no other status', () => {
  for (const route of calls) {
    const { [String(route.status ?? 200)]: success, default: others, ...refusals } = responsesOf(route);
    const place = `${route.method} ${route.path}`;
    assert.ok(success && others, place);
    const listed = Object.entries(refusals).flatMap(([status, { description }]) =>
      [...description.slice(description.indexOf(': ')).matchAll(/`([a-z_]+)`/g)].map(([, code]) => `${status} ${code}`),
    );
    const known = [...everyCallsErrors, ...listErrors(route)].map((code: ErrorCode) => `${errors[code].status} ${code}`);
    assert.deepEqual(listed.sort(), known.sort(), place);
    for (const [status, { description, content }] of Object.entries(refusals)) {
      assert.doesNotMatch(description, /undefined/, `${place} ${status}`);
      assert.deepEqual(content?.['application/problem+json']?.schema, { $ref: '#/components/schemas/Problem' }, place);
    }
  }
});

/** Names in a path that are words of the contract: another word is a wrong field, 422. */
const hasWordAlone = ({ path, input }: Route) =>
  [...path.matchAll(/:(\w+)/g)].every(([, name]) => input instanceof z.ZodObject && input.shape[name!] instanceof z.ZodEnum);

test('a call with an id in its path lists 404', () => {
  const without = calls.filter((route) => !hasWordAlone(route) && !responsesOf(route)[404]);
  assert.deepEqual(
    without.map(({ method, path }) => `${method} ${path}`),
    [],
  );
});

test('a caller that is to wait is told for how long', () => {
  for (const route of calls)
    for (const status of [429, 503]) {
      const answer = responsesOf(route)[status];
      if (answer) assert.deepEqual(Object.keys(answer.headers ?? {}), ['Retry-After'], `${route.path} ${status}`);
    }
});

test('each call refuses a field that it does not know', () => {
  for (const { input, method, path } of calls) {
    const { issues = [] } = z.safeParse(input, { not_a_field: 1 }).error ?? {};
    assert.ok(
      issues.some(({ code }) => code === 'unrecognized_keys'),
      `${method} ${path}`,
    );
  }
});

test('a body may be left out where no field is required', () => {
  const isRequired = (path: string) => document.paths[path]!.post!.requestBody!.required;
  assert.deepEqual(
    [isRequired('/projects'), isRequired('/deployments/{id}/redeploy'), isRequired('/deployments/sample')],
    [true, false, true],
  );
});
