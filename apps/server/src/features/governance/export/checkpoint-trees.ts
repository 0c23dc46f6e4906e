import { digestOf, readCheckpoint, type SigningKey, type Tree, treeOf } from '@paddock/audit';
import type { CheckpointRow, CheckpointStore } from '../checkpoints/checkpoint-store.ts';

export interface CheckpointTree {
  tree: Tree;
  from_seq: number;
  seq: number;
  line: string;
}

/** A tree has some 3 MB. */
const maxTrees = 16;
const page = 2_000;

/** Trees of signed checkpoints, built once for all exports that need them at the time; undefined where the checkpoint is not ours. */
export function checkpointTrees(checkpoints: Pick<CheckpointStore, 'facts'>, key: SigningKey) {
  const known = new Map<string, Promise<CheckpointTree | undefined>>();

  return function treeOfCheckpoint(row: CheckpointRow): Promise<CheckpointTree | undefined> {
    const name = `${row.team_id} ${row.seq}`;
    const tree = known.get(name) ?? build(row);
    known.delete(name);
    known.set(name, tree); // the one that was used last stays longest
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
      digests.push(...(await checkpoints.facts(team_id, from, Math.min(seq, from + page - 1))).map(digestOf));
    return { tree: treeOf(digests), from_seq, seq, line };
  }
}
