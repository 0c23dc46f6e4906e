import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Contract, contract, errors, scopes } from '@paddock/contract';
import { scopesMarkdown } from './scopes.ts';

const place = (path: string) => join(import.meta.dirname, '../../../..', path);
const read = (path: string) => readFileSync(place(path), 'utf8');
const text = read('docs/api.md');
/** Rows of the table of errors: code and status, as in `| `not_signed_in` | 401 | … |`. */
const listed = new Map([...text.matchAll(/^\| `([a-z_]+)` +\| (\d{3}) +\|/gm)].map(([, code, status]) => [code, Number(status)]));

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

test('docs/scopes.md says what the contract says (UPDATE_GOLDEN=1 writes the file anew)', () => {
  const made = scopesMarkdown(contract);
  if (process.env.UPDATE_GOLDEN) writeFileSync(place('docs/scopes.md'), made);
  assert.equal(read('docs/scopes.md'), made);
  for (const { method, path } of Object.values(contract as Contract).flatMap((group) => Object.values(group)))
    assert.ok(made.includes(`\`${method} ${path.replace(/:(\w+)/g, '{$1}')}\``), path);
  for (const scope of Object.keys(scopes)) assert.ok(made.includes(`## \`${scope}\``), scope);
});

test('README.md has a row for every setting, and for no other', () => {
  const known = [...read('apps/server/src/config.ts').matchAll(/^ {2}(PADDOCK_[A-Z_]+):/gm)].map(([, name]) => name);
  const rows = [...read('README.md').matchAll(/^\| `(PADDOCK_[A-Z_]+)` +\|/gm)].map(([, name]) => name);
  assert.ok(known.length > 0);
  assert.deepEqual(
    known.filter((name) => !rows.includes(name)),
    [],
  );
  assert.deepEqual(
    rows.filter((name) => !known.includes(name)),
    [],
  );
});
