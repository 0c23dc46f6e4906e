import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { explain } from '../explain-failure.ts';

// Each output comes from a real broken project, with hosts and paths replaced. The middle may be omitted.
const folder = fileURLToPath(new URL('../../../fixtures/outputs/', import.meta.url));
const golden = join(folder, 'sentences.golden.json');

const told = Object.fromEntries(
  readdirSync(folder)
    .filter((name) => name.endsWith('.txt'))
    .sort()
    .map((name) => {
      const { reason, hint, transient, known } = explain(readFileSync(join(folder, name), 'utf8').split('\n'));
      return [name.slice(0, -'.txt'.length), `${known ? '' : '(last line) '}${transient ? '(again) ' : ''}${reason} ${hint}`];
    }),
);
if (process.env.UPDATE_GOLDEN === '1') writeFileSync(golden, `${JSON.stringify(told, null, 2)}\n`);
const expected = JSON.parse(readFileSync(golden, 'utf8')) as Record<string, string>;

for (const [name, sentence] of Object.entries(expected))
  test(`the output ${name} is told as the one sentence that was agreed on`, () => {
    assert.equal(told[name], sentence);
  });

test('each output has its sentence, and at least one hundred are known', () => {
  assert.deepEqual(Object.keys(told), Object.keys(expected));
  assert.ok(Object.keys(told).length >= 100);
});

/** The messages that each kind of failure ends with, regardless of the client. */
const kinds: [cases: RegExp, reason: RegExp][] = [
  [/-mistyped$/, /^The package [\w-]+ was not found in the registry\./],
  [/-(?:version|no-version)$/, /^(?:There is no version .*99|TypeError)/],
  [/-(?:exclusive|eresolve|peer)$/, /needs .* but |exclude each other|There is no version flask/],
  [/-tls$/, /^The certificate of .* is not one that this machine trusts\./],
  [/-dns$/, /which this machine doesn’t reach|could not be made or broke off/],
  [/-refused$/, /the connection was refused|could not be made or broke off/],
  [/-(?:header|headers)$/, /has to be compiled here and needs .*\.h, which this machine lacks\./],
  [/-lock$/, /^The lock file does not fit/],
];
for (const [cases, reason] of kinds)
  test(`all clients agree on ${cases.source}`, () => {
    const those = Object.entries(told).filter(([name]) => cases.test(name));
    assert.ok(those.length > 0);
    for (const [name, sentence] of those) assert.match(sentence.replace(/^(?:\((?:again|last line)\) )+/, ''), reason, name);
  });

test('a reason is short, names no path of a machine, and does not repeat its hint', () => {
  for (const sentence of Object.values(told)) {
    assert.ok(sentence.length < 700, sentence);
    if (!sentence.startsWith('(last line)')) assert.doesNotMatch(sentence, /\/app\/|\/home\//);
  }
});

test('a missing header is asked for by the command that installs it', () => {
  assert.match(told['uv-sdist-header']!, /pqlike .* libpq-fe\.h.*apt-get install -y --no-install-recommends libpq-dev/);
  assert.match(told['uv-sdist-no-cc']!, /apt-get install -y --no-install-recommends build-essential/);
});
