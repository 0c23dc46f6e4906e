// Laws against classes of faults that were found before: the next feature must not bring them back.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isTest, readSources } from './sources.ts';

const product = readSources().filter(({ path }) => /^(apps|packages)\//.test(path));

test('e-mail addresses are compared by the one normal form of the contract', () => {
  const folds = /\.to(Locale)?(Lower|Upper)Case\(|\b(lower|upper|casefold|normalize)\(|\bi?like \$\{|citext|localeCompare\(/;
  // Other texts that people type beside addresses: passwords, names, and codes.
  const others = /\/(passwords|password-refusal|two-factor)\.ts$/;
  const whole = product.filter(({ path }) =>
    /^apps\/server\/src\/(features\/(accounts|oauth|api-keys)|mail)\/|console\/src\/features\/(accounts|oauth)\//.test(path),
  );
  const folding = whole.filter((source) => !isTest(source) && !others.test(source.path) && folds.test(source.text));
  const lines = product
    // The detector of personal data compares parts of texts with words; it never decides whether two addresses are equal.
    .filter(
      (source) =>
        !isTest(source) && !/\.sql$|^packages\/pii\/|^packages\/contract\/src\/email-address\.ts$|^apps\/server\/test\//.test(source.path),
    )
    .flatMap(({ path, text }) => text.split('\n').map((line) => `${path}: ${line.trim()}`))
    .filter((line) => (/e-?mail/i.test(line) && folds.test(line)) || /\bwhere email = \$\{/.test(line));
  assert.deepEqual([...folding.map(({ path }) => path), ...lines], [], 'use normalAddress or isSameAddress');
});

test('names that users of databases may have made are quoted by PostgreSQL (format with %I), never by the client library or by hand', () => {
  // postgres.js reads the dots of a name as a path: sql('a.b') is "a"."b". It quotes the keys of an object, which are ours.
  const byLibrary = { 'packages/database-driver/': /\b(sql|tx)\(/, 'apps/server/src/features/databases/': /\b(sql|tx)\((?!\{)/ };
  const byHand = /replace(All)?\((['"`]|\/)"/;
  const broken = product.filter((source) => {
    const folder = Object.entries(byLibrary).find(([path]) => source.path.startsWith(path));
    return folder !== undefined && !isTest(source) && (folder[1].test(source.text) || byHand.test(source.text));
  });
  assert.deepEqual(
    broken.map(({ path }) => path),
    [],
  );
});

test('CSV is written by the one writer of the contract, which lets no text be a formula', () => {
  const byHand = /replace(All)?\((['"`]|\/)"(['"`]|\/g?), (['"`])""\3\)|\.join\('","'\)/;
  const writers = product.filter((source) => !isTest(source) && byHand.test(source.text));
  assert.deepEqual(
    writers.map(({ path }) => path),
    ['packages/contract/src/csv.ts'],
  );
});

test('server and gateway print through the output that no full disk and no reader can end', () => {
  const own = product.filter((source) => /^apps\/(server|gateway)\/src\//.test(source.path) && !isTest(source));
  const printing = own.filter(({ text }) =>
    /\bconsole\.(log|info|warn|debug)\(|\bprocess\.std(out|err)\.write\(|\bpino\.destination\(/.test(text),
  );
  assert.deepEqual(
    printing.map(({ path }) => path),
    [],
  );
  const logging = own.filter(({ text }) => /\bpino\(/.test(text) && !/\bstandardOutput\(\)/.test(text));
  assert.deepEqual(
    logging.map(({ path }) => path),
    [],
  );
});

test("loops over all tenants' rows go on past one that fails", () => {
  const LOOPS =
    /^apps\/server\/src\/(delete-projects|features\/(databases\/node\/reconciler|deployments\/run\/supervisor)|jobs\/periodic|nodes\/heartbeat)\.ts$/;
  const loops = product.filter(({ path }) => LOOPS.test(path));
  assert.equal(loops.length, 5);
  // An error in a plain loop that awaits each row's work skips all later rows. `eachOf` in jobs/isolated-loop.ts goes on.
  const ending = loops.filter(({ text }) =>
    /for \(const [^\n]* of (live|instances|rows|jobs|await (store|projects)\.\w+\([^\n]*\))\)[^\n]*\bawait\b/.test(text),
  );
  assert.deepEqual(
    ending.map(({ path }) => path),
    [],
  );
  assert.deepEqual(
    loops.filter(({ text }) => !/\bcreateIsolatedLoop\(/.test(text)).map(({ path }) => path),
    [],
  );
});

test('what "no row" would permit is asked by queries that return exactly one row', () => {
  // Each entry names a query whose empty result would mean "allowed": a limit, a plan, a policy, a second factor.
  const questions: Record<string, string[]> = {
    'apps/server/src/http/rate-limit.ts': ['async function count(', 'async function lockedFor('],
    'apps/server/src/features/accounts/two-factor/two-factor-store.ts': ['async isOn('],
    'apps/server/src/features/billing/plan-limits/store.ts': ['async function countProjects('],
    'apps/server/src/features/billing/subscriptions/plan-in-force.ts': ['async function planInForce('],
    'apps/server/src/features/billing/usage/bandwidth-of-month.ts': ['async function bandwidthOfMonth('],
    'apps/server/src/features/databases/usage/managed-storage.ts': ['async function managedStorage('],
    'apps/server/src/features/governance/policies/store.ts': ['async function activePolicies(', 'async function countedHosts('],
  };
  const loose = Object.entries(questions).flatMap(([path, names]) => {
    const text = product.find((source) => source.path === path)?.text ?? '';
    const bodyOf = (name: string) => text.split(name)[1]?.split(/\n {0,2}\}/)[0] ?? '';
    return names.filter((name) => !bodyOf(name).includes('singleRow(rows)')).map((name) => `${path}: ${name}`);
  });
  assert.deepEqual(loose, [], 'read the row by singleRow');
});

test('files of the audit trail, and trees over its records, are made in threads of their own', () => {
  const made = /from '[^']*\/(export|chain-export|checkpoint-trees)\.ts'/;
  const room = 'apps/server/src/features/governance/trail/export/';
  const importing = product.filter((source) => source.path.startsWith('apps/server/src/') && !isTest(source));
  const outside = importing.filter(({ path, text }) => /\btreeOf\(/.test(text) && path !== `${room}checkpoint-trees.ts`);
  const entries = importing.filter(({ text }) => text.split('\n').some((line) => made.test(line) && !line.startsWith('import type')));
  const own = ['chain-export', 'checkpoint-trees', 'export', 'thread'].map((name) => `${room}${name}.ts`);
  assert.deepEqual(
    [...outside, ...entries].map(({ path }) => path).filter((path) => !own.includes(path)),
    [],
  );
  const starting = importing.filter(({ text }) => text.includes("from './export/thread.ts'") || text.includes("from './thread.ts'"));
  assert.deepEqual(
    starting.filter(({ path, text }) => path.startsWith(room) && !/import type \{[^}]*\} from '.\/thread.ts'/.test(text)),
    [],
  );
});
