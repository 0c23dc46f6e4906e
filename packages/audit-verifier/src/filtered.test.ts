import assert from 'node:assert/strict';
import { test } from 'node:test';
import { erase, exportFiltered, exportWhole, type Log, makeLog, type Row, signCheckpoint } from '../test/make-log.ts';
import { gist, verifier } from '../test/verify-lines.ts';

type Line = { [name: string]: unknown; proof: { checkpoint_seq: number; index: number; path: string[] } };
const change = (lines: string[], at: number, changes: (line: Line) => void) => {
  const line = JSON.parse(lines[at] as string) as Line;
  changes(line);
  return lines.with(at, JSON.stringify(line));
};
const rowAt = (log: Log, seq: number) => log.rows[seq - 1] as Row;

test('each record of a filtered export proves its place, and the answer says that some may be left out', async (t) => {
  const { verify } = verifier(t);
  const log = makeLog({ count: 30, checkpoints: [1, 8, 13, 29] });
  for (const seqs of [[1], [2, 5, 9, 27], [3, 8, 29], [13], Array.from({ length: 29 }, (_, at) => at + 1)]) {
    const answer = await verify(exportFiltered(log, seqs), { kept: [log.checkpoints.slice(1, 3)] });
    assert.deepEqual([answer.verdict, answer.records, answer.is_filtered], ['valid', seqs.length, true], seqs.join());
    assert.match(answer.note ?? '', /that no record was left out cannot be told/);
  }
  assert.deepEqual(gist(await verify(exportFiltered(log, [5, 30]))), ['unproven', 8]);
  assert.deepEqual(gist(await verify(exportFiltered(log, [30]))), ['unproven', 0]);
  assert.deepEqual(gist(await verify(exportFiltered(log, []))), ['unproven', 0]);
});

test('erased payloads leave proofs as they are', async (t) => {
  const { verify } = verifier(t);
  const log = makeLog();
  erase(rowAt(log, 3));
  const answer = await verify(exportFiltered(log, [3, 6]));
  assert.deepEqual([answer.verdict, answer.erased], ['valid', 1]);
});

test('a record with a wrong proof, or changed together with its hash, is named', async (t) => {
  const { verify } = verifier(t);
  const log = makeLog();
  const lines = exportFiltered(log, [2, 3, 6, 7]);
  const at = (seq: number) => lines.findIndex((line) => line.includes(`"aud_${seq}"`));
  const wrong = async (seq: number, changes: (line: Line) => void) =>
    assert.deepEqual(gist(await verify(change(lines, at(seq), changes))), ['broken', seq, `aud_${seq}`]);
  for (const seq of [2, 3, 6, 7]) {
    await wrong(seq, (line) => (line['status'] = 'error'));
    await wrong(seq, ({ proof }) => (proof.path[0] = 'f'.repeat(64)));
    await wrong(seq, ({ proof }) => proof.path.pop());
    await wrong(seq, ({ proof }) => proof.path.push('f'.repeat(64)));
  }
  await wrong(6, ({ proof }) => (proof.index += 1));
  await wrong(6, ({ proof }) => (proof.index = 1e15));
  await wrong(2, ({ proof }) => (proof.checkpoint_seq = 1));
  await wrong(3, (line) => Object.assign(line, { proof: null }));
  await wrong(7, (line) => Object.assign(line, { proof: null }));
});

test('a filtered export whose checkpoint is missing, another, or in another place is broken', async (t) => {
  const { verify } = verifier(t);
  const log = makeLog();
  const lines = exportFiltered(log, [2, 6]);
  const [header, last, sixth, first, second, end] = lines as [string, string, string, string, string, string];
  assert.deepEqual(gist(await verify([header, sixth, first, second, end])), ['broken', 6, 'aud_6']);
  assert.deepEqual(gist(await verify([header, last, sixth, second, end])), ['broken', 2, 'aud_2']);
  assert.deepEqual(gist(await verify([header, last, first, sixth, second, end])), ['broken', 6, 'aud_6']);
  assert.deepEqual(gist(await verify([header, first, second, last, sixth, end])), ['broken', 1, null]);
  const rewritten = makeLog({ keys: log.keys, checkpoints: [6, 9], rewrite: ({ facts }) => (facts['action'] = 'other') });
  assert.deepEqual(gist(await verify(exportFiltered(rewritten, [2, 6]), { kept: [log.checkpoints] })), ['broken', 1, null]);
  const resigned = makeLog({ keys: log.keys, rewrite: ({ facts }) => (facts['action'] = 'other') });
  const others = await verify(exportFiltered(resigned, [2]), { kept: [log.checkpoints] });
  assert.match(others.first_bad?.reason ?? '', /Two different checkpoints end at record 4/);
  assert.deepEqual(gist(await verify(exportFiltered(resigned, [6]), { kept: [log.checkpoints] })), ['broken', 5, null]);
});

test('a filtered export of a log that was cut behind a kept checkpoint is broken', async (t) => {
  const { verify } = verifier(t);
  const log = makeLog();
  const cut = { ...log, rows: log.rows.slice(0, 6), checkpoints: log.checkpoints.slice(0, 1) };
  assert.deepEqual(gist(await verify(exportFiltered(cut, [2]))), ['valid', 4]);
  assert.deepEqual(gist(await verify(exportFiltered(cut, [2]), { kept: [log.checkpoints] })), ['broken', 7, null]);
});

test('whether an export is filtered cannot be told otherwise than it is', async (t) => {
  const { verify } = verifier(t);
  const log = makeLog({ count: 9 });
  const whole = change(exportWhole(log), 0, (header) => (header['is_filtered'] = true));
  assert.equal((await verify(whole)).verdict, 'broken');
  const filtered = change(exportFiltered(log, [1, 2, 3]), 0, (header) => (header['is_filtered'] = false));
  assert.equal((await verify(filtered)).verdict, 'broken');
});

test('records of a filtered export that stand twice, in another order, or without the proof that there must be are found', async (t) => {
  const { verify } = verifier(t);
  const log = makeLog();
  const [header, last, sixth, first, second, end] = exportFiltered(log, [2, 6]) as [string, string, string, string, string, string];
  assert.deepEqual(gist(await verify([header, last, sixth, sixth, first, second, end])), ['broken', 6, 'aud_6']);
  const unproven = change([sixth], 0, (line) => Object.assign(line, { proof: null }));
  assert.deepEqual(gist(await verify([header, ...unproven, last, first, second, end])), ['broken', 6, 'aud_6']);
});

test('the hash of a record in a filtered export must fit wherever its neighbour or a checkpoint is there, too', async (t) => {
  const { verify } = verifier(t);
  const log = makeLog();
  const forge = (seqs: number[], seq: number) => {
    const lines = exportFiltered(log, seqs);
    const at = lines.findIndex((line) => line.includes(`"aud_${seq}"`));
    return change(lines, at, (line) => (line['hash'] = 'f'.repeat(64)));
  };
  assert.deepEqual(gist(await verify(forge([9], 9))), ['broken', 9, 'aud_9']);
  assert.deepEqual(gist(await verify(forge([1], 1))), ['broken', 1, 'aud_1']);
  assert.deepEqual(gist(await verify(forge([6, 7], 6))), ['broken', 7, 'aud_7']);
  assert.deepEqual(gist(await verify(forge([6, 7], 7))), ['broken', 7, 'aud_7']);
  assert.deepEqual(gist(await verify(forge([12], 12))), ['broken', 12, 'aud_12']);
});

test('checkpoints of a filtered export must be of the team, and fit each other and those that were kept', async (t) => {
  const { verify } = verifier(t);
  const log = makeLog({ count: 4, checkpoints: [] });
  signCheckpoint(log, { team_id: 'team_2' });
  assert.equal((await verify(exportFiltered(log, [2]))).verdict, 'broken');
  const ours = makeLog();
  const resigned = makeLog({ keys: ours.keys, rewrite: ({ facts }) => (facts['action'] = 'other') });
  const [, second = ''] = ours.checkpoints;
  assert.deepEqual(gist(await verify(exportFiltered(resigned, [2]), { kept: [[second]] })), ['broken', 5, null]);
  const theirs = exportFiltered(resigned, [2]).slice(1, -1);
  const mixed = exportFiltered(ours, [6, 2]).toSpliced(3, 2, ...theirs);
  assert.deepEqual(gist(await verify(mixed)), ['broken', 5, null]);
});
