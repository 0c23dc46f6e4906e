import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { readEntries } from './database.ts';
import { matchAdvisories, type Package, packageKey } from './match.ts';
import { comparePython } from './pep440.ts';
import { advisoryScan } from './scan.ts';
import { cvss3, resolveSeverity } from './severity.ts';

const home = mkdtempSync(join(tmpdir(), 'paddock-osv-'));
after(() => rmSync(home, { recursive: true, force: true }));
const file = (name: string, text: string) => {
  writeFileSync(join(home, name), text);
  return join(home, name);
};
const read = async (source: string) => {
  const entries: unknown[] = [];
  for await (const entry of readEntries(source)) entries.push(entry);
  return entries.map((entry) => (entry as { id: string }).id);
};

test('versions of Python packages have the order of PEP 440', () => {
  const ordered = [
    '1.dev0',
    '1.0.dev456',
    '1.0a1',
    '1.0a2.dev456',
    '1.0a12',
    '1.0b1.dev456',
    '1.0b2',
    '1.0rc1',
    '1.0',
    '1.0.post456.dev34',
    '1.0.post456',
    '1.1.dev1',
    '1.10',
    '1!0.1',
  ];
  for (const [i, a] of ordered.entries())
    for (const [j, b] of ordered.entries()) assert.equal(Math.sign(comparePython(a, b) ?? 9), Math.sign(i - j), `${a} and ${b}`);
  for (const [a, b] of [
    ['1.0', '1'],
    ['1.0-alpha.1', '1.0a1'],
    ['v1.0', '1.0.0'],
    ['1.0+local.7', '1.0'],
    ['1.0-1', '1.0.post1'],
    ['1.0c1', '1.0RC1'],
  ] as const)
    assert.equal(comparePython(a, b), 0, `${a} and ${b}`);
  assert.equal(comparePython('latest', '1.0'), undefined);
});

test('a severity is the word of the database, else what the vector amounts to', () => {
  assert.equal(cvss3('CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H'), 9.8);
  assert.equal(cvss3('CVSS:3.1/AV:N/AC:L/PR:L/UI:R/S:C/C:L/I:L/A:N'), 5.4);
  assert.equal(cvss3('CVSS:3.0/AV:L/AC:H/PR:H/UI:R/S:U/C:N/I:N/A:N'), 0);
  assert.equal(cvss3('nonsense'), undefined);
  assert.equal(resolveSeverity({ database_specific: { severity: 'MODERATE' } }), 'medium');
  assert.equal(resolveSeverity({ severity: [{ type: 'CVSS_V3', score: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N' }] }), 'high');
  assert.equal(resolveSeverity({}), 'unknown');
});

test('an entry counts for the versions that it is about', () => {
  const hit = (ecosystem: Package['ecosystem'], version: string, affected: object) => {
    const used: Package = { ecosystem, name: 'Some_Thing', version };
    const entry = {
      id: 'X',
      affected: [{ package: { ecosystem, name: ecosystem === 'PyPI' ? 'some-thing' : 'Some_Thing' }, ...affected }],
    };
    return matchAdvisories(entry, new Map([[packageKey(used), [used]]]));
  };
  const range = (type: string, ...events: object[]) => ({ ranges: [{ type, events }] });
  const python = range('ECOSYSTEM', { introduced: '0' }, { fixed: '1.2' }, { introduced: '2.0' }, { fixed: '2.1.1' });
  for (const version of ['0.1', '1.1.9', '1.2rc1', '2.0', '2.1']) assert.equal(hit('PyPI', version, python).length, 1, version);
  for (const version of ['1.2', '1.9', '2.1.1', '3']) assert.equal(hit('PyPI', version, python).length, 0, version);
  assert.equal(hit('PyPI', '2.0', python)[0]?.fixed, '2.1.1');
  const npm = range('SEMVER', { introduced: '1.0.0' }, { last_affected: '1.4.0' });
  for (const version of ['1.0.0', '1.4.0']) assert.equal(hit('npm', version, npm).length, 1, version);
  for (const version of ['0.9.9', '1.4.1', 'latest']) assert.equal(hit('npm', version, npm).length, 0, version);
  assert.equal(hit('npm', '1.0.0', npm)[0]?.fixed, null);
  assert.equal(hit('npm', '7.0.0', { versions: ['7.0.0'] }).length, 1);
  assert.equal(hit('PyPI', '1.0', range('GIT', { introduced: '0' })).length, 0);
  assert.deepEqual(matchAdvisories({ id: 'X', withdrawn: '2020', affected: [{}] }, new Map()), []);
  for (const odd of [null, 7, {}, { id: 1 }, { id: 'X', affected: [null, 7, { package: null }] }])
    assert.deepEqual(matchAdvisories(odd, new Map()), []);
});

test('a database is an array, lines, one entry, or a folder of them; what is none says why', async () => {
  assert.deepEqual(await read(file('array.json', ' [{"id": "A"}, {"id": "B"}]')), ['A', 'B']);
  assert.deepEqual(await read(file('lines.jsonl', '{"id": "C"}\n\n{"id": "D"}\n')), ['C', 'D']);
  assert.deepEqual(await read(file('one.json', '{\n "id": "E"\n}')), ['E']);
  file('note.txt', 'no entry');
  assert.deepEqual((await read(home)).sort(), ['A', 'B', 'C', 'D', 'E']);
  await assert.rejects(read(join(home, 'gone')), /There is nothing at/);
  await assert.rejects(read(file('broken.jsonl', '{"id": "C"}\n{')), /Line 2 of .* is not JSON/);
});

test('the thread finds what is in use, and says when it cannot read the database', async () => {
  const used: Package = { ecosystem: 'npm', name: 'left', version: '0.9.0' };
  const entry = {
    id: 'GHSA-1',
    modified: '2026-01-02T00:00:00Z',
    affected: [{ package: { ecosystem: 'npm', name: 'left' }, versions: ['0.9.0'] }],
  };
  const scanned = await advisoryScan(file('db.json', JSON.stringify([entry])), async () => [])([used]);
  assert.deepEqual([scanned.entries, scanned.modified, scanned.hits.map((hit) => hit.id)], [1, '2026-01-02T00:00:00Z', ['GHSA-1']]);
  await assert.rejects(advisoryScan(join(home, 'gone'), async () => [])([used]), /There is nothing at/);
});
