import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sha256 } from './chain.ts';
import { buildTree, computeAuditPath, growingRoot } from './tree.ts';

test('a tree that grows has the root of the whole tree at each size, and each path leads to it', () => {
  const digests = Array.from({ length: 70 }, (_, n) => sha256(`record ${n}`));
  const growing = growingRoot();
  assert.deepEqual(growing.root(), sha256(''));
  for (const [last, digest] of digests.entries()) {
    growing.add(digest);
    const tree = buildTree(digests.slice(0, last + 1));
    assert.deepEqual(growing.root(), tree.at(-1), `${last + 1} leaves`);
    for (let index = 0; index <= last; index++)
      assert.deepEqual(climb(digests[index]!, { index, last, path: computeAuditPath(tree, index) }), growing.root());
  }
});

/** The root that a path leads to (RFC 9162, 2.1.3.2). */
function climb(digest: Buffer, { index, last, path }: { index: number; last: number; path: Buffer[] }): Buffer {
  let [at, end] = [index, last];
  let hash = sha256(Buffer.of(0), digest);
  for (const neighbour of path) {
    const isRight = at % 2 === 1 || at === end;
    hash = isRight ? sha256(Buffer.of(1), neighbour, hash) : sha256(Buffer.of(1), hash, neighbour);
    while (isRight && at % 2 === 0 && at !== 0) [at, end] = [at >> 1, end >> 1];
    [at, end] = [at >> 1, end >> 1];
  }
  return hash;
}
