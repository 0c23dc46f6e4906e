import { buildTree, computeDigest, readCheckpoint, type SigningKey, type Tree } from '@paddock/audit';
import type { CheckpointRow, CheckpointStore } from '../checkpoints/checkpoint-store.ts';

export interface CheckpointTree {
  tree: Tree;
  from_seq: number;
  seq: number;
  line: string;
}

/** Number of cached trees, of some 3 MB each. */
const maxTrees = 16;
const page = 2_000;

/** Trees of signed checkpoints, shared by concurrent exports; undefined if the checkpoint is not ours. */
export function checkpointTrees(checkpoints: Pick<CheckpointStore, 'facts'>, key: SigningKey) {
  const known = new Map<string, Promise<CheckpointTree | undefined>>();

  return function treeOfCheckpoint(row: CheckpointRow): Promise<CheckpointTree | undefined> {
    const name = `${row.team_id} ${row.seq}`;
    const tree = known.get(name) ?? build(row);
    known.delete(name);
    known.set(name, tree); // moves it to the end: the least recently used is evicted first
    if (known.size > maxTrees) known.delete(known.keys().next().value!);
    tree.catch(() => known.get(name) === tree && known.delete(name));
    return tree;
  };

  async function build({ team_id, seq, line }: CheckpointRow): Promise<CheckpointTree | undefined> {
    const checkpoint = readCheckpoint(line, key);
    if (!checkpoint) return undefined;
    const { from_seq } = checkpoint;
    const digests: Buffer[] = [];
    for (let from = from_seq; from <= seq; from += page)
      digests.push(...(await checkpoints.facts(team_id, from, Math.min(seq, from + page - 1))).map(computeDigest));
    return { tree: buildTree(digests), from_seq, seq, line };
  }
}
