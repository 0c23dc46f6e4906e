import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Contract, contract, errors } from '@paddock/contract';

const text = readFileSync(join(import.meta.dirname, '../../../../docs/api.md'), 'utf8');
/** Rows of the table of errors: code and status, as in `| `not_signed_in` | 401 | … |`. */
const listed = new Map([...text.matchAll(/^\| `([a-z_]+)` \| (\d{3}) \|/gm)].map(([, code, status]) => [code, Number(status)]));

test('docs/api.md lists every error code with its status, and no other', () => {
  assert.deepEqual(Object.fromEntries(listed), Object.fromEntries(Object.entries(errors).map(([code, { status }]) => [code, status])));
});

test('docs/api.md names every call of the contract', () => {
  const calls = Object.values(contract as Contract).flatMap((group) => Object.values(group).map(({ method, path }) => `${method} ${path}`));
  assert.deepEqual(
    calls.filter((call) => !text.includes(`\`${call.replace(/:(\w+)/g, '{$1}')}\``)),
    [],
  );
});
