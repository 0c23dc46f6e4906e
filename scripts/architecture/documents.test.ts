// The documents about the code name files that exist, and the first one to read stays short.
import assert from 'node:assert/strict';
import { globSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { ROOT } from '../program.ts';
import { missingNames, oversized } from './documents.ts';

const NOT_OURS = /(^|\/)(node_modules|fixtures|dist|examples|test-results)(\/|$)/;
const documents = globSync('{*.md,docs/decisions.md,{apps,packages,attacks,faults,bench,e2e,scripts}/**/README.md}', {
  cwd: ROOT,
  exclude: (path) => NOT_OURS.test(path),
}).filter((path) => basename(path) !== 'CHANGELOG.md');
const files = globSync('{apps,packages,scripts,attacks,faults,bench,e2e,examples,.ci,.github}/**/*.{ts,tsx,mjs,sql,sh,py,json}', {
  cwd: ROOT,
  exclude: (path) => /(^|\/)node_modules(\/|$)/.test(path),
});

/** The guides to governance and to the API. A guide of this size is read in about ten minutes; a longer one is split by what a reader looks for. */
const GUIDES = [
  'alerts',
  'api',
  'api-keys',
  'api-streams',
  'governance',
  'audit-trail',
  'audit-verification',
  'audit-actions',
  'data-protection',
  'data-subject-requests',
  'policies',
  'compliance-controls',
  'access-reviews',
  'data-residency',
];
const MAX_GUIDE_BYTES = 15_000;

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

test('each guide to governance has at most 15,000 bytes', () => {
  const guides = GUIDES.map((name) => `docs/${name}.md`).map((path) => ({ path, bytes: statSync(join(ROOT, path)).size }));
  assert.deepEqual(oversized(guides, MAX_GUIDE_BYTES), []);
});

test('a guide of one byte too many is named with its size', () => {
  const guides = [
    { path: 'docs/short.md', bytes: 15_000 },
    { path: 'docs/long.md', bytes: 15_001 },
  ];
  assert.deepEqual(oversized(guides, 15_000), ['docs/long.md: 15001 bytes, at most 15000']);
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

test('the table of screens in AGENTS.md has each address of the console', () => {
  const routes = readFileSync(join(ROOT, 'apps/console/src/app/routes.tsx'), 'utf8');
  const addresses = [...routes.matchAll(/path: '([^']+)'/g)].map(([, path = '']) => path.replace('$id', '<id>'));
  const screens = readFileSync(join(ROOT, 'AGENTS.md'), 'utf8').split('## Screens')[1] ?? '';
  assert.ok(addresses.length > 20);
  assert.deepEqual(
    addresses.filter((path) => path !== '/' && path !== '/$' && !new RegExp(`\\|.*\`${path.replace('/$provider', '')}[\`?]`).test(screens)),
    [],
  );
});

test('a renamed file is noticed by its old name, with and without its folder', () => {
  const there = ['apps/server/src/features/billing/subscriptions/outbox.ts', 'apps/server/src/main.ts'];
  const text = 'See `subscriptions/outbox.ts`, `main.ts`, `hand-over.ts`, `accounts/outbox.ts`, `features/<name>/x.ts` and `x.test.ts`.';
  assert.deepEqual(missingNames(text, there), ['hand-over.ts', 'accounts/outbox.ts', 'x.test.ts']);
});
