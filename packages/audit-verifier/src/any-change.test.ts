import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import { asDocument } from '../test/as-document.ts';
import { erase, exportFiltered, exportWhole, type Log, makeLog, type Row } from '../test/make-log.ts';
import { textOf, verifier } from '../test/verify-lines.ts';

const valueOf = (line: string): unknown => {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
};

/**
 * Fields that are not signed: metadata of the export itself, and in a filtered export facts that only the previous record or a checkpoint
 * could prove.
 */
const unsigned = (line: string, changed: unknown, isFiltered: boolean) => {
  const [before, after] = [valueOf(line), changed] as { [name: string]: unknown }[];
  const names = Object.keys(before ?? {}).filter((name) => !isDeepStrictEqual(before?.[name], after?.[name]));
  const free = isFiltered ? ['exported_at', 'from_seq', 'to_seq', 'head_seq', 'head_hash', 'hash', 'previous_hash'] : ['exported_at'];
  return typeof changed === 'object' && changed !== null && names.every((name) => free.includes(name)) && names.length > 0;
};

interface Change {
  line: number;
  at: number;
  byte: number;
}

const anyChange = fc.record({ line: fc.nat(), at: fc.nat(), byte: fc.integer({ min: 0, max: 255 }) });

/** Replaces one byte; undefined if the meaning of the line does not change. */
function changed(lines: string[], { line, at, byte }: Change, isFiltered: boolean): Buffer | undefined {
  const index = line % lines.length;
  const text = lines[index] as string;
  const bytes = Buffer.from(text);
  bytes[at % bytes.length] = byte;
  const value = valueOf(bytes.toString());
  if (isDeepStrictEqual(value, valueOf(text)) || unsigned(text, value, isFiltered)) return undefined;
  return Buffer.concat(lines.flatMap((each, number) => [number === index ? bytes : Buffer.from(each), Buffer.from('\n')]));
}

const log = (): Log => {
  const made = makeLog({ count: 7, checkpoints: [3, 7] });
  erase(made.rows[1] as Row);
  return made;
};

for (const [what, linesOf, isFiltered] of [
  ['an export', (made: Log) => exportWhole(made), false],
  ['a filtered export', (made: Log) => exportFiltered(made, [2, 3, 6]), true],
] as const)
  test(`any byte of ${what} that is changed, and with it what the line says, is found`, async (t) => {
    const { verifyBytes } = verifier(t);
    const made = log();
    const lines = linesOf(made);
    let tried = 0;
    await fc.assert(
      fc.asyncProperty(anyChange, async (change) => {
        const bytes = changed(lines, change, isFiltered);
        if (!bytes) return;
        tried += 1;
        const { verdict } = await verifyBytes(bytes, { key: made.keys.public });
        assert.equal(verdict, 'broken');
      }),
      { numRuns: 500 },
    );
    assert.ok(tried > 300, `${tried}`);
  });

/** The document without the unsigned fields; undefined if it is not JSON. */
function signedPart(text: string, isFiltered: boolean): unknown {
  const document = valueOf(text) as { header?: Line; logs?: Line[]; end?: Line } | undefined;
  if (!document) return undefined;
  const { header = {}, logs = [], end = {} } = document;
  delete header['exported_at'];
  if (!isFiltered) return document;
  for (const name of ['from_seq', 'to_seq', 'previous_hash']) delete header[name];
  for (const name of ['head_seq', 'head_hash']) delete end[name];
  for (const log of logs) delete log['hash'];
  return document;
}
type Line = { [name: string]: unknown };

for (const [what, linesOf, isFiltered] of [
  ['a JSON document', (made: Log) => exportWhole(made), false],
  ['a filtered JSON document', (made: Log) => exportFiltered(made, [2, 3, 6]), true],
] as const)
  test(`any byte of ${what} that is changed, and with it what the document says, is found`, async (t) => {
    const { verifyBytes } = verifier(t);
    const made = log();
    const text = textOf(asDocument(linesOf(made)));
    assert.deepEqual((await verifyBytes(text, { key: made.keys.public })).verdict, 'valid');
    const before = signedPart(text, isFiltered);
    let tried = 0;
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.integer({ min: 0, max: 255 }), async (at, byte) => {
        const bytes = Buffer.from(text);
        bytes[at % bytes.length] = byte;
        if (isDeepStrictEqual(signedPart(bytes.toString(), isFiltered), before)) return;
        tried += 1;
        const verdict = await verifyBytes(bytes, { key: made.keys.public }).then(
          (answer) => answer.verdict,
          (error: Error) => error.name,
        );
        // Only the header's line can be reformatted by one byte, which has no effect on the rest.
        assert.notEqual(verdict, 'valid');
        const [first = ''] = bytes.toString().split('\n', 1);
        if (first.startsWith('{"header":') && first.endsWith(',"logs":[')) assert.equal(verdict, 'broken');
      }),
      { numRuns: 500 },
    );
    assert.ok(tried > 300, `${tried}`);
  });

test('whatever a JSON document shows of a record is what the chain has: a list of records beside it, a field more or a reordered list is found', async (t) => {
  const { verifyBytes } = verifier(t);
  const made = log();
  const lines = asDocument(exportWhole(made));
  const key = made.keys.public;
  const verdict = async (changedLines: string[]) => (await verifyBytes(textOf(changedLines), { key })).verdict;
  const at = lines.findIndex((line) => line.includes('"id":"aud_5"'));
  const [one, next] = [lines[at]!, lines[at + 1]!];
  assert.ok(next.includes('"id":"aud_6"'));
  const swapped = [...lines.slice(0, at), next, one, ...lines.slice(at + 2)];
  const without = [...lines.slice(0, at), ...lines.slice(at + 1)];
  const more = lines.with(at, one.replace('{"id"', '{"note":"approved","id"'));
  const twice = lines.map((line) => line.replace('],"lines":', '],"logs":[],"lines":'));
  assert.notDeepEqual(twice, lines);
  const behind = [...lines, '{"logs":[]}'];
  for (const [index, changedLines] of [swapped, without, more, twice, behind].entries())
    assert.equal(await verdict(changedLines), 'broken', `${index}`);
});

test('a JSON document that was laid out anew has no verdict', async (t) => {
  const { verifyBytes } = verifier(t);
  const text = textOf(asDocument(exportWhole(log())));
  await assert.rejects(verifyBytes(JSON.stringify(JSON.parse(text))), /not laid out as it was exported/);
});
