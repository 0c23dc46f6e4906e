import { sha256 } from './chain.ts';

const leaf = (digest: Uint8Array) => sha256(Buffer.of(0), digest);
const node = (left: Uint8Array, right: Uint8Array) => sha256(Buffer.of(1), left, right);

/** The levels of a tree over digests, leaves first. The last node of an odd level goes up as it is, which gives the tree of RFC 6962, 2.1. */
export function treeOf(digests: readonly Uint8Array[]): Buffer[][] {
  const levels = [digests.map(leaf)];
  for (let level = levels[0]!; level.length > 1; levels.push(level)) {
    const above: Buffer[] = [];
    for (let i = 0; i + 1 < level.length; i += 2) above.push(node(level[i]!, level[i + 1]!));
    if (level.length % 2 === 1) above.push(level.at(-1)!);
    level = above;
  }
  return levels;
}

export const rootOf = (levels: readonly Buffer[][]): Buffer => levels.at(-1)?.[0] ?? sha256('');

/** The neighbours from a leaf upwards (RFC 6962, 2.1.1). */
export function pathOf(levels: readonly Buffer[][], index: number): Buffer[] {
  const path: Buffer[] = [];
  let at = index;
  for (const level of levels.slice(0, -1)) {
    const neighbour = level[at ^ 1];
    if (neighbour) path.push(neighbour);
    at >>= 1;
  }
  return path;
}
