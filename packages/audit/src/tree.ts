import { sha256 } from './chain.ts';

const hashBytes = 32;
const leaf = (digest: Uint8Array) => sha256(Buffer.of(0), digest);
const node = (left: Uint8Array, right: Uint8Array) => sha256(Buffer.of(1), left, right);

/** The levels of a tree, leaves first. The hashes of a level are concatenated. */
export type Tree = readonly Buffer[];

/** The tree over digests. The last node of an odd level is moved up unchanged, which produces the tree of RFC 6962, 2.1. */
export function buildTree(digests: readonly Uint8Array[]): Tree {
  const levels: Buffer[] = [Buffer.concat(digests.map(leaf))];
  for (let level = levels[0]!; level.length > hashBytes; levels.push(level)) level = levelAbove(level);
  return levels;
}

function levelAbove(level: Buffer): Buffer {
  const pairs = Math.floor(level.length / hashBytes / 2);
  const above = Buffer.alloc(Math.ceil(level.length / hashBytes / 2) * hashBytes);
  for (let pair = 0; pair < pairs; pair++) node(hashAt(level, pair * 2), hashAt(level, pair * 2 + 1)).copy(above, pair * hashBytes);
  level.copy(above, pairs * hashBytes, pairs * 2 * hashBytes);
  return above;
}

/** Empty beyond the end of the level. */
const hashAt = (level: Buffer, index: number): Buffer => level.subarray(index * hashBytes, (index + 1) * hashBytes);

/** The neighbours from a leaf upwards (RFC 6962, 2.1.1). */
export function computeAuditPath(tree: Tree, index: number): Buffer[] {
  const path: Buffer[] = [];
  let at = index;
  for (const level of tree.slice(0, -1)) {
    const neighbour = hashAt(level, at ^ 1);
    if (neighbour.length > 0) path.push(neighbour);
    at >>= 1;
  }
  return path;
}

/** The root of a growing tree. Each digest costs two hashes on average, and the root a few, regardless of the number of digests. */
export function growingRoot() {
  /** Complete subtrees from left to right, each smaller than the previous one. */
  const peaks: { height: number; hash: Buffer }[] = [];
  return {
    add(digest: Uint8Array): void {
      let hash = leaf(digest);
      let height = 0;
      for (; peaks.at(-1)?.height === height; height++) hash = node(peaks.pop()!.hash, hash);
      peaks.push({ height, hash });
    },
    root(): Buffer {
      const hashes = peaks.map(({ hash }) => hash);
      return hashes.length === 0 ? sha256('') : hashes.reduceRight((right, left) => node(left, right));
    },
  };
}
