import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cutMark, splitLines } from './split-lines.ts';

test('a line longer than 16 KiB is cut with a mark and its rest skipped, wherever the chunks end', () => {
  const long = 'x'.repeat(40_000);
  const input = Buffer.from(`a\n${long}\nb\n\nc`);
  for (const size of [1000, 17_000, 50_000]) {
    const lines: string[] = [];
    let [offset, cut] = [0, false];
    while (offset < input.length) {
      const end = Math.min(input.length, offset + Math.max(size, 17_000));
      const split = splitLines(input.subarray(offset, end), cut, end === input.length);
      lines.push(...split.lines);
      if (!split.used) break;
      offset += split.used;
      cut = split.is_cut;
    }
    assert.deepEqual(
      lines.map((line) => (line.length > 100 ? `${line.length} ${line.slice(-23)}` : line)),
      ['a', `${16_384 + cutMark.length} ${cutMark.slice(-23)}`, 'b', '', 'c'],
    );
  }
});
