import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROOT } from '../program.ts';
import { isTest, readSources } from './sources.ts';

/** Packages that messages and documents tell people to install. No start can know whether they are needed. */
const forPeople = new Map([
  ['git', 'gets and upgrades Paddock, which runs without it'],
  ['postgresql-client-18', 'reads a backup by hand'],
  ['apparmor-profiles', 'holds the rule that lets the sandbox of an ordinary user run on Ubuntu'],
  ['apparmor-utils', 'see apparmor-profiles'],
]);
interface Lists {
  FOR_AGENTS: { package: string }[];
  FOR_BUILDS: { package: string }[];
  FOR_DATABASES: { package: string }[];
  FOR_TESTS: { package: string }[];
}
const lists = new URL('../bootstrap/system-packages.mjs', import.meta.url).href;
const { FOR_AGENTS, FOR_BUILDS, FOR_DATABASES, FOR_TESTS } = (await import(lists)) as Lists;
const installed = [...FOR_AGENTS, ...FOR_DATABASES, ...FOR_BUILDS].map((one) => one.package);

test('npm start installs each package that a message or a document tells people to install', () => {
  const documents = globSync('{*.md,docs/**/*.md}', { cwd: ROOT }).map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }));
  const sources = readSources().filter((source) => /^(apps|packages)\//.test(source.path) && !isTest(source));
  const named = [...documents, ...sources].flatMap(({ path, text }) =>
    [...text.matchAll(/apt-get install ([\w .+-]{1,200})/g)].flatMap(([, words = '']) =>
      words
        .trim()
        .split(/ +/)
        .filter((word) => /^[a-z]/.test(word))
        .map((word) => ({ name: word.replace(/\.$/, ''), path })),
    ),
  );
  assert.ok(
    named.some(({ name, path }) => name === 'redis-server' && path.startsWith('packages/database-driver/')),
    'the messages are read',
  );
  assert.deepEqual(
    named.filter(({ name }) => !installed.includes(name) && !forPeople.has(name)),
    [],
  );
});

test('the README names each package that a start or the tests install', () => {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
  const all = [...installed, ...FOR_TESTS.map((one) => one.package)];
  assert.deepEqual(
    all.filter((name) => !readme.includes(name)),
    [],
  );
});
