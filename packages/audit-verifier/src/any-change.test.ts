import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import { erase, exportFiltered, exportWhole, type Log, makeLog, type Row } from '../test/make-log.ts';
import { verifier } from '../test/verify-lines.ts';

const valueOf = (line: string): unknown => {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
};

/** Fields that nothing signs: what an export says of its own making, and of a filtered one what only the record before or a checkpoint could prove. */
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

/** Puts one byte into the place of another; undefined where the line says the same as before. */
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
