import { type Bytes, sha256 } from './hashes.ts';

// The tree of RFC 6962, 2.1, whose leaves are the digests of records.

const leafMark = Buffer.from([0]);
const nodeMark = Buffer.from([1]);
const leafOf = (digest: Bytes) => sha256(leafMark, digest);
const nodeOf = (left: Bytes, right: Bytes) => sha256(nodeMark, left, right);

/** Grows leaf by leaf and keeps only the roots of its full subtrees, at most one of each height. */
export function growTree() {
  const full: (Bytes | undefined)[] = [];
  return {
    add(digest: Bytes) {
      let root = leafOf(digest);
      let height = 0;
      for (let left = full[0]; left !== undefined; left = full[height]) {
        root = nodeOf(left, root);
        full[height] = undefined;
        height += 1;
      }
      full[height] = root;
    },
    /** The root; undefined for a tree without leaves. */
    root() {
      let root: Bytes | undefined;
      // From the lowest subtree on the right to the highest on the left.
      for (const left of full) if (left !== undefined) root = root === undefined ? left : nodeOf(left, root);
      return root;
    },
    clear() {
      full.length = 0;
    },
  };
}

interface Place {
  digest: Bytes;
  /** The index of the leaf, starting at 0. */
  index: number;
  /** Leaves of the tree. */
  size: number;
  /** The audit path, from the leaf upwards (RFC 6962, 2.1.1). */
  path: readonly Bytes[];
}

/** The root that a path leads to; undefined if no tree of that size has a path of that length there. */
export function rootByPath({ digest, index, size, path }: Place): Bytes | undefined {
  if (index < 0 || index >= size) return undefined;
  let root = leafOf(digest);
  let [at, last] = [index, size - 1];
  for (const beside of path) {
    if (last === 0) return undefined;
    // The last node of a level has no right neighbour, so it moves up unchanged until it is a right child.
    while (at === last && at % 2 === 0 && last > 0) [at, last] = [at / 2, Math.floor(last / 2)];
    root = at % 2 === 1 ? nodeOf(beside, root) : nodeOf(root, beside);
    [at, last] = [Math.floor(at / 2), Math.floor(last / 2)];
  }
  return last === 0 ? root : undefined;
}
