import assert from 'node:assert/strict';
import { existsSync, globSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { test } from 'node:test';
import { auditActions, type Contract, contract, controlIds, errors, scopes, unrepeatable } from '@paddock/contract';
import { systemActions } from '../../audit/record-system-action.ts';
import { auditActionsMarkdown, ownActionsMarkdown } from './audit-actions.ts';
import { toAnchor } from './guide-pages.ts';
import { openApi } from './openapi.ts';
import { templateOf } from './operation.ts';
import { pathOf } from './reference/groups.ts';
import { scopesMarkdown } from './scopes.ts';

const place = (path: string) => join(import.meta.dirname, '../../../../..', path);
const read = (path: string) => readFileSync(place(path), 'utf8');

test('docs/api.md leads to the reference of each group of calls', () => {
  const guide = read('docs/api.md');
  assert.deepEqual(
    (Object.keys(contract) as (keyof typeof contract)[]).filter((name) => !guide.includes(`(http://localhost:4000${pathOf(name)})`)),
    [],
  );
});

test('a code in the guides to the API is one of the table of errors, with its status', () => {
  const known: Record<string, { status: number }> = errors;
  for (const path of ['docs/api.md', 'docs/api-keys.md', 'docs/api-streams.md', 'docs/sign-in.md'])
    for (const [, status, code = ''] of read(path).matchAll(/\b([45]\d\d) `([a-z_]+)`/g))
      assert.equal(String(known[code]?.status), status, `${path}: ${code}`);
});

test('docs/scopes.md says what the contract says (UPDATE_GOLDEN=1 writes the file anew)', () => {
  const made = scopesMarkdown(contract);
  if (process.env.UPDATE_GOLDEN) writeFileSync(place('docs/scopes.md'), made);
  assert.equal(read('docs/scopes.md'), made);
  for (const { method, path } of Object.values(contract as Contract).flatMap((group) => Object.values(group)))
    assert.ok(made.includes(`\`${method} ${path.replace(/:(\w+)/g, '{$1}')}\``), path);
  for (const scope of Object.keys(scopes)) assert.ok(made.includes(`## \`${scope}\``), scope);
});

/** Compares a guide's section between two markers with the text generated from the contract. */
function holdSection(path: string, name: string, lines: string): void {
  const [begin, end] = [`<!-- ${name} -->\n\n`, `\n\n<!-- end of ${name} -->`];
  const page = read(path);
  const [at, until] = [page.indexOf(begin) + begin.length, page.indexOf(end)];
  assert.ok(page.includes(begin) && until > at - end.length, name);
  if (process.env.UPDATE_GOLDEN) writeFileSync(place(path), page.slice(0, at) + lines + page.slice(until));
  else assert.equal(page.slice(at, until), lines);
}

test('docs/audit-actions.md lists every action that is recorded, once (UPDATE_GOLDEN=1 writes its lists anew)', () => {
  const page = 'docs/audit-actions.md';
  holdSection(page, 'actions of calls', auditActionsMarkdown(contract));
  holdSection(page, 'actions of Paddock', ownActionsMarkdown());
  const actions = [...Object.keys(auditActions), ...Object.keys(systemActions)];
  const listed = [...read(page).matchAll(/^- `([a-z.-]+)` \(/gm)].map(([, action = '']) => action);
  assert.deepEqual(listed.toSorted(), actions.toSorted());
});

test('docs/compliance-controls.md has one line for each control', () => {
  const lines = [...read('docs/compliance-controls.md').matchAll(/^- `([A-Z]+-\d+)`: /gm)].map(([, control]) => control!);
  assert.deepEqual(lines.toSorted(), controlIds.toSorted());
});

test('the OpenAPI document says of each POST whether it takes an Idempotency-Key, and why not', () => {
  const document = openApi(contract, 'test');
  let without = 0;
  for (const { method, path, ...route } of Object.values(contract as Contract).flatMap((group) => Object.values(group))) {
    const { parameters = [], description } = document.paths[templateOf(path)]![method.toLowerCase()]!;
    const takes = parameters.some(({ name }) => name === 'Idempotency-Key');
    const reason = unrepeatable(route);
    assert.equal(takes, method === 'POST' && reason === undefined, path);
    assert.equal(description.includes('Takes no Idempotency-Key.'), method === 'POST' && !takes, path);
    if (method === 'POST' && reason) without += 1;
  }
  assert.ok(without > 0);
});

test('docs/configuration.md has a row for every setting, and for no other', () => {
  const sources = ['config/config.ts', 'config/build-settings.ts', 'config/seller-settings.ts', 'payments/settings.ts']
    .map((file) => read(`apps/server/src/${file}`))
    .join('\n');
  const known = [...sources.matchAll(/^ {2}(PADDOCK_[A-Z_]+):/gm)].map(([, name]) => name);
  const rows = [...read('docs/configuration.md').matchAll(/^\| `(PADDOCK_[A-Z_]+)` +\|/gm)].map(([, name]) => name);
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

/** The documents with which a reader of the repository begins, and those that they link to. */
const texts = [
  ...['README.md', 'ARCHITECTURE.md', 'SECURITY.md', 'CONTRIBUTING.md', 'AGENTS.md', 'CHANGELOG.md'],
  ...readdirSync(place('docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];
/** The text without code blocks, whose lines may look like headings and links. */
const prose = (path: string) => read(path).replace(/^```[^]*?^```/gm, '');
const anchors = (path: string) => [...prose(path).matchAll(/^#{1,6} (.+)$/gm)].map(([, words]) => toAnchor(words!));

test('each link of a text of the repository leads to a file, and to a heading that the file has', () => {
  const dead: string[] = [];
  for (const path of texts)
    for (const [, href = ''] of prose(path).matchAll(/\]\(([^()\s]+)\)/g)) {
      if (/^https?:/.test(href)) continue;
      const [to = '', part] = href.split('#');
      const target = to === '' ? path : posix.join(posix.dirname(path), to);
      const isThere =
        existsSync(place(target)) && (part === undefined || (statSync(place(target)).isFile() && anchors(target).includes(part)));
      if (!isThere) dead.push(`${path}: ${href}`);
    }
  assert.deepEqual(dead, []);
});

test('docs/README.md names every guide', () => {
  const index = read('docs/README.md');
  const guides = texts.filter((path) => path.startsWith('docs/') && path !== 'docs/README.md');
  assert.ok(guides.length >= 10);
  assert.deepEqual(
    guides.filter((path) => !index.includes(`](${posix.basename(path)})`)),
    [],
  );
});

test('docs/troubleshooting.md quotes only what the source says', () => {
  const patterns = [
    'apps/{server,gateway}/src/**/*.ts',
    'packages/*/src/**/*.{ts,mjs}',
    'scripts/bootstrap/*.mjs',
    'scripts/bootstrap.mjs',
  ];
  const source = globSync(patterns, { cwd: place('.') })
    .filter((path) => !path.includes('.test.'))
    .map(read)
    .join('\n')
    .replaceAll("\\'", "'");
  const quotes = [...read('docs/troubleshooting.md').matchAll(/^\| ((?:[^|`]|`[^`]*`)*) \|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, quote]) => quote!),
  );
  assert.ok(quotes.length > 100, `${quotes.length}`);
  // `…` stands for a variable part.
  const parts = quotes.flatMap((quote) => quote.split('…').map((part) => part.trim()));
  assert.deepEqual(
    parts.filter((part) => !source.includes(part)),
    [],
  );
});
