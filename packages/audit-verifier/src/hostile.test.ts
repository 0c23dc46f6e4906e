import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { exportFiltered, exportWhole, makeKeys, makeLog } from '../test/make-log.ts';
import { gist, textOf, verifier } from '../test/verify-lines.ts';
import { verifyExport } from './index.ts';

test('the form of the file does not matter: CRLF, a BOM, no last newline, gzip', async (t) => {
  const { verifyBytes } = verifier(t);
  const text = textOf(exportWhole(makeLog({ count: 9 })));
  for (const form of [text.replaceAll('\n', '\r\n'), `\ufeff${text}`, text.trimEnd(), gzipSync(text)])
    assert.deepEqual(gist(await verifyBytes(form)), ['valid', 9]);
});

test('a file that is no export, or a damaged one, is broken with the number of its line', async (t) => {
  const { verifyBytes } = verifier(t);
  const lines = exportWhole(makeLog({ count: 9 }));
  const text = textOf(lines);
  const packed = gzipSync(text);
  const cases: [what: string, content: string | Buffer, line: number][] = [
    ['empty', '', 0],
    ['not JSON', 'hello\n', 1],
    ['another JSON', '{"records":[]}', 1],
    ['no header', textOf(lines.slice(1)), 1],
    ['a second header', textOf(lines.toSpliced(3, 0, lines[0] as string)), 4],
    ['an empty line', textOf(lines.toSpliced(3, 0, '')), 4],
    ['an unknown type', textOf(lines.toSpliced(3, 0, '{"type":"note"}')), 4],
    ['no type', textOf(lines.toSpliced(3, 0, '{"__proto__":{"type":"record"}}')), 4],
    ['a line behind the last', `${text}{"type":"end"}\n`, lines.length + 1],
    ['a doubled name', text.replace('"id":"aud_3"', '"id":"aud_3","id":"aud_3"'), 4],
    ['a strange number', text.replace('"seq":3', '"seq":3.0'), 4],
    ['a field more', text.replace('"id":"aud_3"', '"id":"aud_3","note":"x"'), 4],
    ['a field less', text.replace('"id":"aud_3",', ''), 4],
    ['invalid UTF-8', Buffer.concat([Buffer.from(textOf(lines.slice(0, 3))), Buffer.from([0x22, 0xff, 10])]), 4],
    ['a line that is too long', `${textOf(lines.slice(0, 3))}{"a":"${'x'.repeat(5 * 1024 ** 2)}`, 4],
    ['a cut gzip file', packed.subarray(0, packed.length - 20), 1],
    ['a gzip file with other bytes in it', Buffer.concat([packed.subarray(0, 10), Buffer.alloc(100, 0xff)]), 1],
  ];
  for (const [what, content, line] of cases) {
    const answer = await verifyBytes(content);
    assert.equal(answer.verdict, 'broken', what);
    if (what === 'a line that is too long') assert.match(answer.first_bad?.reason ?? '', /longer than 4 MiB/);
    if (what !== 'a cut gzip file') assert.equal(answer.first_bad?.line, line, what);
  }
});

test('values of wrong types are never valid and never end the verifier', async (t) => {
  const { verify } = verifier(t);
  const log = makeLog({ count: 4, checkpoints: [3] });
  const values = [null, true, 0, -1, 1e300, '', '\ud800', [], {}, [[]], { path: 1 }];
  const exports = [
    { lines: exportWhole(log), places: [0, 1, 4, 6] },
    { lines: exportFiltered(log, [1, 4]), places: [0, 1, 2, 4] },
  ];
  for (const { lines, places } of exports)
    for (const at of places) {
      const object = JSON.parse(lines[at] as string) as { [name: string]: unknown };
      for (const name of Object.keys(object))
        for (const value of values) {
          if (value === object[name]) continue;
          const { verdict } = await verify(lines.with(at, JSON.stringify({ ...object, [name]: value })));
          assert.equal(verdict, 'broken', `${name} of line ${at + 1} as ${JSON.stringify(value)}`);
        }
    }
});

test('random bytes instead of a part of the export are broken, not a failure', async (t) => {
  const { verifyBytes } = verifier(t);
  const log = makeLog({ count: 5, checkpoints: [2, 5] });
  const bytes = Buffer.from(textOf(exportWhole(log)));
  await fc.assert(
    fc.asyncProperty(fc.nat(bytes.length - 1), fc.uint8Array({ minLength: 1, maxLength: 30 }), async (from, noise) => {
      const changed = Buffer.concat([bytes.subarray(0, from), noise, bytes.subarray(from + noise.length)]);
      const { verdict } = await verifyBytes(changed, { key: log.keys.public });
      assert.ok(['broken', 'valid'].includes(verdict));
    }),
    { numRuns: 300 },
  );
});

test('a file or key that cannot be read is no verdict', async (t) => {
  const { folder, write } = verifier(t);
  const file = write(textOf(exportWhole(makeLog())));
  mkdirSync(join(folder, 'folder'));
  const asked = [
    { file: join(folder, 'none') },
    { file: join(folder, 'folder') },
    { file, checkpoints: [join(folder, 'none')] },
    { file, key: join(folder, 'none') },
    { file, key: 'AAAA' },
    { file, key: file },
    { file, key: write('-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n') },
  ];
  for (const question of asked) await assert.rejects(verifyExport(question), { name: 'Unusable' }, JSON.stringify(question));
});

test('the key may be text, a file with that text, or PEM', async (t) => {
  const { write } = verifier(t);
  const log = makeLog({ count: 9 });
  const file = write(textOf(exportWhole(log)));
  const der = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), Buffer.from(log.keys.public, 'base64url')]);
  const pem = `-----BEGIN PUBLIC KEY-----\n${der.toString('base64')}\n-----END PUBLIC KEY-----\n`;
  for (const key of [log.keys.public, write(`${log.keys.public}\n`), write(pem)])
    assert.deepEqual((await verifyExport({ file, key })).key_source, 'given');
  assert.equal((await verifyExport({ file, key: makeKeys().public })).verdict, 'broken');
});

test('whoever interrupts the verifier gets the reason, not a verdict', async (t) => {
  const { write } = verifier(t);
  const file = write(textOf(exportWhole(makeLog())));
  const reason = new Error('Interrupted.');
  await assert.rejects(verifyExport({ file, signal: AbortSignal.abort(reason) }), reason);
});
