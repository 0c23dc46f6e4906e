import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as z from 'zod';
import type { Route } from './route.ts';
import { contract } from './routes.ts';

/** Names under which answers give what lets somebody in. */
const SECRETS = /^(token|secret|ticket|api_key|recovery_codes|connection_string|authorization_url)$/;

test('a call whose answer lets somebody in says so, and no other does', () => {
  const wrong = Object.entries(contract).flatMap(([group, calls]) =>
    Object.entries(calls as Record<string, Route>).flatMap(([name, route]) => {
      const fields = route.output instanceof z.ZodObject ? Object.keys(route.output.shape) : [];
      const gives = fields.filter((field) => SECRETS.test(field));
      if (gives.length > 0 && route.answer === undefined) return [`${group}.${name} gives ${gives.join()} and does not say so`];
      return gives.length === 0 && route.answer !== undefined ? [`${group}.${name} says that its answer is ${route.answer}`] : [];
    }),
  );
  assert.deepEqual(wrong, []);
});
