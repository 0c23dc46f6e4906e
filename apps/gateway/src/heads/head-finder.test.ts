import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HeadFinder } from './head-finder.ts';

/** A head of that many bytes with its empty line, whose content shows if a part of it is lost. */
function headOf(bytes: number): string {
  let text = 'GET / HTTP/1.1\r\nX: \xe9';
  for (let i = 0; text.length < bytes; i++) text += `\r\nX${i}: \r${i}\n`;
  return `${text.slice(0, Math.max(0, bytes - 5))}x\r\n\r\n`;
}

// Sizes around the length of the first search, and above.
for (const size of [5, 100, 2_040, 2_047, 2_048, 2_049, 2_050, 2_051, 2_052, 3_000]) {
  test(`a head of ${size} bytes is found wherever the reads are cut`, () => {
    const head = headOf(size);
    const bytes = Buffer.from(`###${head}next head\r\n\r\n`, 'latin1');
    const end = 3 + head.length;
    const finder = new HeadFinder();
    for (let cut = 3; cut <= bytes.length; cut++) {
      const early = finder.find(bytes, 3, cut);
      assert.equal(early, cut < end ? -1 : end, `cut at ${cut}`);
      if (early < 0) assert.equal(finder.find(bytes, 3, bytes.length), end, `cut at ${cut}`);
      assert.equal(finder.text, head.slice(0, -4));
    }
  });
}

test('a head that comes byte by byte is found with its last byte, and so is the next one', () => {
  const heads = [headOf(50), headOf(2_500), '\r\n\r\n', headOf(2_048)];
  const bytes = Buffer.from(heads.join(''), 'latin1');
  const finder = new HeadFinder();
  const found: string[] = [];
  for (let from = 0, to = 1; to <= bytes.length; to++) {
    const end = finder.find(bytes, from, to);
    if (end < 0) continue;
    assert.equal(end, to);
    found.push(finder.text);
    from = end;
  }
  assert.deepEqual(
    found,
    heads.map((head) => head.slice(0, -4)),
  );
});

test('a head that is given up does not shorten the search for the next one', () => {
  const finder = new HeadFinder();
  const cut = Buffer.from(headOf(3_000).slice(0, 2_500), 'latin1');
  assert.equal(finder.find(cut, 0, cut.length), -1);
  finder.forget();
  const next = Buffer.from(headOf(60), 'latin1');
  assert.equal(finder.find(next, 0, next.length), 60);
});
