import { computeAuditPath, firstHash, type SigningKey } from '@paddock/audit';
import type { AuditFilter } from '@paddock/contract';
import type { AuditStore } from '../audit-log-store.ts';
import type { CheckpointStore } from '../checkpoints/checkpoint-store.ts';
import type { RecordRow } from '../record-sql.ts';
import { listedRemovals } from '../removals/listed.ts';
import type { RemovalStore } from '../removals/removal-store.ts';
import { type CheckpointTree, checkpointTrees } from './checkpoint-trees.ts';
import type { Proof } from './jsonl.ts';

/** A record may have some 100 KB; each export buffers a page. */
const page = 200;

interface Deps {
  store: AuditStore;
  checkpoints: CheckpointStore;
  removals: RemovalStore;
  key: SigningKey;
}

/** A record with its proof, which only a filtered export has; or another line of the export. */
export type ChainPart = { row: RecordRow; proof?: Proof | null } | string;

/**
 * The parts of an export that allow verification without Paddock: header, records, checkpoints, removals, end; specified in docs/audit-format.md.
 */
export function chainExport({ store, checkpoints, removals, key }: Deps) {
  const treeOfCheckpoint = checkpointTrees(checkpoints, key);
  return (team_id: string, filter: AuditFilter): AsyncGenerator<ChainPart> =>
    Object.values(filter).some((value) => value !== undefined) ? filtered(team_id, filter) : whole(team_id);

  function header(team_id: string, { to_seq, is_filtered }: { to_seq: number; is_filtered: boolean }): string {
    return JSON.stringify({
      type: 'header',
      v: 2,
      team_id,
      exported_at: new Date().toISOString(),
      from_seq: 1,
      to_seq,
      is_filtered,
      previous_hash: firstHash(team_id).toString('hex'),
      public_key: key.public.toString('base64url'),
      key_id: key.key_id,
    });
  }

  async function* whole(team_id: string): AsyncGenerator<ChainPart> {
    const head = await store.head(team_id);
    yield header(team_id, { to_seq: head.seq, is_filtered: false });
    const removalsFor = await listing(team_id);
    for (let from_seq = 1; from_seq <= head.seq; from_seq += page) {
      const to_seq = Math.min(head.seq, from_seq + page - 1);
      const signed = new Map((await checkpoints.of(team_id, { from_seq, to_seq })).map(({ seq, line }) => [seq, line]));
      for (const row of await store.stretch(team_id, { from_seq, to_seq })) {
        yield* await removalsFor(row);
        yield { row };
        const line = signed.get(row.seq);
        if (line) yield line;
      }
    }
    yield JSON.stringify({ type: 'end', records: head.seq, head_seq: head.seq, head_hash: head.hash?.toString('hex') ?? null });
  }

  async function* filtered(team_id: string, filter: AuditFilter): AsyncGenerator<ChainPart> {
    const head = await store.head(team_id);
    yield header(team_id, { to_seq: head.seq, is_filtered: true });
    const removalsFor = await listing(team_id);
    const prove = createProver(team_id, head.checkpoint_seq);
    const used = new Set<string>();
    let records = 0;
    for await (const row of filteredRecords(store, team_id, filter)) {
      const { proof, line } = await prove(row);
      // A one-pass verifier must read the checkpoint before the first record that it proves.
      if (line && !used.has(line)) {
        used.add(line);
        yield line;
      }
      yield* await removalsFor(row);
      yield { row, proof };
      records += 1;
    }
    yield JSON.stringify({ type: 'end', records, head_seq: head.seq, head_hash: head.hash?.toString('hex') ?? null });
  }

  /** The signed removals that a verifier must read before the record: payloads may be removed during the export. */
  async function listing(team_id: string) {
    await removals.listUnlisted(team_id);
    const listed = listedRemovals(team_id, { store: removals, key });
    return async ({ seq, payload }: RecordRow) => (payload === null ? (await listed.find(seq)).lines : []);
  }

  /** Uses the checkpoints that exist at the beginning of the export: a later one would cover records that were sent without proof. */
  function createProver(team_id: string, checkpoint_seq: number) {
    let last: CheckpointTree | undefined;
    return async (row: RecordRow): Promise<{ proof: Proof | null; line?: string }> => {
      if (row.seq > checkpoint_seq) return { proof: null };
      if (!last || row.seq < last.from_seq || row.seq > last.seq) {
        const [covering] = await checkpoints.covering(team_id, row.seq);
        last = covering && (await treeOfCheckpoint(covering));
      }
      if (!last) return { proof: null };
      const index = row.seq - last.from_seq;
      const path = computeAuditPath(last.tree, index).map((hash) => hash.toString('hex'));
      return { proof: { checkpoint_seq: last.seq, index, path }, line: last.line };
    };
  }
}

/** The filtered records, newest first. */
export async function* filteredRecords(store: AuditStore, team_id: string, filter: AuditFilter): AsyncGenerator<RecordRow> {
  let after: RecordRow | undefined;
  for (;;) {
    const rows: RecordRow[] = await store.page(team_id, filter, { after, limit: page });
    yield* rows;
    after = rows.at(-1);
    if (rows.length < page) return;
  }
}
