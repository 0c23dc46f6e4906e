// The documents about the code name files that exist, and the first one to read stays short.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { ROOT } from '../program.ts';
import { missingNames } from './documents.ts';

const NOT_OURS = /(^|\/)(node_modules|fixtures|dist|examples|test-results)(\/|$)/;
const documents = globSync('{*.md,docs/decisions.md,{apps,packages,attacks,faults,bench,e2e}/**/README.md}', {
  cwd: ROOT,
  exclude: (path) => NOT_OURS.test(path),
}).filter((path) => basename(path) !== 'CHANGELOG.md');
const files = globSync('{apps,packages,scripts,attacks,faults,bench,e2e,examples,.ci,.github}/**/*.{ts,tsx,mjs,sql,sh,py,json}', {
  cwd: ROOT,
  exclude: (path) => /(^|\/)node_modules(\/|$)/.test(path),
});

/** Names of the recipe in CONTRIBUTING.md, which adds a feature `notes`. */
const RECIPE = /(^|\/)notes(\/|\.)|^x\.|NNNN/;

test('ARCHITECTURE.md has at most 120 lines of at most 120 characters', () => {
  const lines = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8').trimEnd().split('\n');
  assert.ok(lines.length <= 120, `${lines.length} lines`);
  assert.deepEqual(
    lines.filter((line) => line.length > 120),
    [],
  );
});

test('each source file that a document names in backticks exists', () => {
  assert.ok(documents.length > 20, `only ${documents.length} documents are read`);
  const missing = documents.flatMap((path) =>
    missingNames(readFileSync(join(ROOT, path), 'utf8'), files)
      .filter((name) => path !== 'CONTRIBUTING.md' || !RECIPE.test(name))
      .map((name) => `${path}: ${name}`),
  );
  assert.deepEqual(missing, []);
});

test('a renamed file is noticed by its old name, with and without its folder', () => {
  const there = ['apps/server/src/features/billing/outbox.ts', 'apps/server/src/main.ts'];
  const text = 'See `billing/outbox.ts`, `main.ts`, `hand-over.ts`, `accounts/outbox.ts`, `features/<name>/x.ts` and `x.test.ts`.';
  assert.deepEqual(missingNames(text, there), ['hand-over.ts', 'accounts/outbox.ts', 'x.test.ts']);
});
