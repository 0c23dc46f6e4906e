import assert from 'node:assert/strict';
import { test } from 'node:test';
import { beginningOf, erase, exportWhole, hashOf, type Log, makeKeys, makeLog, type Row, signCheckpoint } from '../test/make-log.ts';
import { gist, verifier } from '../test/verify-lines.ts';

const rowAt = (log: Log, seq: number) => log.rows[seq - 1] as Row;

test('a log that checkpoints cover to its end is valid, and one that goes on behind the last checkpoint is unproven', async (t) => {
  const { verify } = verifier(t);
  const log = makeLog({ count: 9, checkpoints: [4, 9] });
  const answer = await verify(exportWhole(log), { key: log.keys.public });
  assert.deepEqual(answer, {
    verdict: 'valid',
    records: 9,
    erased: 0,
    from_seq: 1,
    covered_to: 9,
    head_seq: 9,
    is_filtered: false,
    key_id: log.keys.id,
    key_source: 'given',
  });
  assert.deepEqual(gist(await verify(exportWhole(makeLog({ count: 12 })))), ['unproven', 9]);
  assert.deepEqual(gist(await verify(exportWhole(makeLog({ checkpoints: [] })))), ['unproven', 0]);
  assert.deepEqual(gist(await verify(exportWhole(makeLog({ count: 0 })))), ['unproven', 0]);
});

test('trees of every size up to 40 records are those of RFC 6962', async (t) => {
  const { verify } = verifier(t);
  for (let count = 1; count <= 40; count++)
    assert.deepEqual(gist(await verify(exportWhole(makeLog({ count, checkpoints: [count] })))), ['valid', count]);
});

test('without a key from elsewhere the answer says that somebody could have signed anew', async (t) => {
  const { verify } = verifier(t);
  const log = makeLog({ count: 9 });
  const alone = await verify(exportWhole(log));
  assert.deepEqual([alone.verdict, alone.key_source], ['valid', 'export']);
  assert.match(alone.note ?? '', /proves nothing against somebody who can sign anew/);
  const kept = await verify(exportWhole(log), { kept: [log.checkpoints.slice(0, 1)] });
  assert.deepEqual([kept.verdict, kept.key_source, kept.note], ['valid', 'checkpoints', undefined]);
});

test('payloads that retention removed leave the log valid, and are counted', async (t) => {
  const { verify } = verifier(t);
  const log = makeLog({ count: 9 });
  for (const row of log.rows.slice(0, 6)) erase(row);
  const answer = await verify(exportWhole(log));
  assert.deepEqual([answer.verdict, answer.erased], ['valid', 6]);
});

test('a part of a log from a later record on is checked by the heads that checkpoints sign', async (t) => {
  const { verify } = verifier(t);
  const log = makeLog({ count: 9 });
  const answer = await verify(exportWhole(log, 7), { kept: [log.checkpoints] });
  assert.deepEqual(gist(answer), ['valid', 9]);
  assert.match(answer.note ?? '', /The records before 7 are not in the export/);
  assert.deepEqual(gist(await verify(exportWhole(log, 3))), ['valid', 9]);
  assert.deepEqual(gist(await verify(exportWhole(log, 5), { kept: [log.checkpoints] })), ['valid', 9]);
  const other = makeLog({ count: 9, keys: log.keys, rewrite: ({ facts }) => (facts['action'] = 'other') });
  const header = JSON.parse(exportWhole(log, 5)[0] as string) as object;
  const [, ...lines] = exportWhole(log, 5);
  const forged = JSON.stringify({ ...header, previous_hash: rowAt(other, 4).hash });
  assert.deepEqual(gist(await verify([forged, ...lines], { kept: [log.checkpoints] })), ['broken', 5, null]);
});

test('a changed row is found by the first record that does not fit, whatever was changed', async (t) => {
  const { verify } = verifier(t);
  const changes: [what: string, change: (row: Row) => void][] = [
    ['a fact', ({ facts }) => (facts['status'] = 'error')],
    ['a time', ({ facts }) => (facts['timestamp'] = '2026-11-23T10:00:05.001Z')],
    ['the duration', ({ facts }) => (facts['duration_ms'] = 5)],
    ['the payload', ({ payload }) => Object.assign(payload as object, { user_id: 'usr_2' })],
    ['deep within the payload', ({ payload }) => Object.assign((payload as { input_data: object }).input_data, { message: 'Other' })],
    ['the salt', (row) => (row.salt = 'f'.repeat(32))],
    ['the hash', (row) => (row.hash = 'f'.repeat(64))],
    ['the hash of the payload', ({ facts }) => (facts.payload_hash = 'f'.repeat(64))],
  ];
  for (const [what, change] of changes) {
    const log = makeLog();
    change(rowAt(log, 5));
    assert.deepEqual(gist(await verify(exportWhole(log))), ['broken', 5, 'aud_5'], what);
  }
});

test('a changed row with a hash of its own breaks the next record, and an erased payload hides no change of facts', async (t) => {
  const { verify } = verifier(t);
  const log = makeLog();
  rowAt(log, 5).facts['status'] = 'error';
  rowAt(log, 5).hash = hashOf(rowAt(log, 4).hash, rowAt(log, 5));
  assert.deepEqual(gist(await verify(exportWhole(log))), ['broken', 6, 'aud_6']);
  const erased = makeLog();
  erase(rowAt(erased, 5));
  rowAt(erased, 5).facts['status'] = 'error';
  assert.deepEqual(gist(await verify(exportWhole(erased))), ['broken', 5, 'aud_5']);
});

test('a record that was removed, inserted, doubled or moved is found', async (t) => {
  const { verify } = verifier(t);
  const without = makeLog();
  without.rows.splice(4, 1);
  assert.deepEqual(gist(await verify(exportWhole(without))), ['broken', 5, null]);

  const inserted = makeLog();
  const copy = structuredClone(rowAt(inserted, 5));
  copy.facts.seq = 6;
  copy.hash = hashOf(rowAt(inserted, 5).hash, copy);
  inserted.rows.splice(5, 0, copy);
  assert.deepEqual(gist(await verify(exportWhole(inserted))), ['broken', 6, 'aud_6']);

  const doubled = makeLog();
  doubled.rows.splice(5, 0, rowAt(doubled, 5));
  assert.deepEqual(gist(await verify(exportWhole(doubled))), ['broken', 5, 'aud_5']);

  const moved = makeLog();
  moved.rows.splice(4, 2, rowAt(moved, 6), rowAt(moved, 5));
  assert.deepEqual(gist(await verify(exportWhole(moved))), ['broken', 5, null]);

  assert.match((await verify(exportWhole(doubled))).first_bad?.reason ?? '', /twice or out of order/);

  const first = makeLog();
  first.rows.shift();
  assert.deepEqual(gist(await verify(exportWhole(first))), ['broken', 1, null]);
});

test('a tail that was cut with its checkpoints is found by a checkpoint that was kept elsewhere, and by nothing else', async (t) => {
  const { verify } = verifier(t);
  const log = makeLog({ count: 9 });
  const cut = { ...log, rows: log.rows.slice(0, 4), checkpoints: log.checkpoints.slice(0, 1) };
  assert.deepEqual(gist(await verify(exportWhole(cut), { key: log.keys.public })), ['valid', 4]);
  const kept = await verify(exportWhole(cut), { kept: [log.checkpoints] });
  assert.deepEqual(gist(kept), ['broken', 5, null]);
  assert.match(kept.first_bad?.reason ?? '', /ends with record 4, but a kept checkpoint .* covers the records up to 9/);
  const late = { ...log, rows: log.rows.slice(0, 7), checkpoints: log.checkpoints.slice(0, 1) };
  assert.deepEqual(gist(await verify(exportWhole(late), { kept: [log.checkpoints] })), ['broken', 8, null]);
  const emptied = { ...log, rows: [], checkpoints: [] };
  assert.deepEqual(gist(await verify(exportWhole(emptied), { kept: [log.checkpoints] })), ['broken', 1, null]);
});

test('an export whose last lines are missing is broken, also where what is left would be valid', async (t) => {
  const { verify } = verifier(t);
  const lines = exportWhole(makeLog({ count: 9 }));
  assert.deepEqual(gist(await verify(lines.slice(0, -1))), ['broken', 10, null]);
  assert.deepEqual(gist(await verify(lines.slice(0, 6))), ['broken', 5, null]);
  assert.deepEqual(gist(await verify(lines.slice(0, 5))), ['broken', 5, null]);
  // The last record is missing, but the checkpoint that covers it is there.
  assert.deepEqual(gist(await verify(lines.toSpliced(-3, 1))), ['broken', 9, null]);
  // The last line belongs to a shorter log than the first.
  const log = makeLog({ count: 9 });
  const shorter = exportWhole({ ...log, rows: log.rows.slice(0, 4), checkpoints: log.checkpoints.slice(0, 1) });
  assert.deepEqual(gist(await verify([exportWhole(log)[0] as string, ...shorter.slice(1)])), ['broken', 5, null]);
  assert.deepEqual(gist(await verify([...lines, lines.at(-1) as string])), ['broken', 10, null]);
  assert.match((await verify(lines.toSpliced(5, 1).toSpliced(6, 0, lines[5] as string))).first_bad?.reason ?? '', /stands behind record/);
});

test('a log that was rewritten in one piece is found by the older checkpoint that it does not fit', async (t) => {
  const { verify } = verifier(t);
  const log = makeLog();
  const rewrite = ({ facts }: Row) => {
    if (facts.seq >= 7) facts['action'] = 'agent.rewritten';
  };
  // Rewritten by somebody who cannot sign: the checkpoints are still the old ones.
  const unsigned = makeLog({ keys: log.keys, rewrite });
  unsigned.checkpoints = log.checkpoints;
  assert.deepEqual(gist(await verify(exportWhole(unsigned))), ['broken', 5, 'aud_5']);
  // Rewritten by somebody who has the key and signs again: only checkpoints kept elsewhere reveal it.
  const signed = makeLog({ keys: log.keys, rewrite });
  assert.deepEqual(gist(await verify(exportWhole(signed), { key: log.keys.public })), ['unproven', 9]);
  assert.deepEqual(gist(await verify(exportWhole(signed), { kept: [log.checkpoints] })), ['broken', 5, null]);
  const fewer = makeLog({ keys: log.keys, rewrite, checkpoints: [12] });
  assert.deepEqual(gist(await verify(exportWhole(fewer), { kept: [log.checkpoints] })), ['broken', 5, 'aud_5']);
  // Rewritten by somebody with another key.
  const foreign = makeLog({ rewrite });
  assert.deepEqual(gist(await verify(exportWhole(foreign))), ['unproven', 9]);
  assert.deepEqual(gist(await verify(exportWhole(foreign), { key: log.keys.public })), ['broken', 1, null]);
  assert.deepEqual(gist(await verify(exportWhole(foreign), { kept: [log.checkpoints] })), ['broken', 1, null]);
});

test('records and checkpoints of another team are found', async (t) => {
  const { verify } = verifier(t);
  const keys = makeKeys();
  const [ours, theirs] = [makeLog({ keys }), makeLog({ keys, teamId: 'team_2' })];
  const [header, ...lines] = exportWhole(theirs);
  const named = { ...(JSON.parse(header as string) as object), team_id: 'team_1' };
  assert.deepEqual(gist(await verify([JSON.stringify(named), ...lines])), ['broken', 1, null]);
  const swapped = JSON.stringify({ ...named, previous_hash: beginningOf('team_1') });
  assert.deepEqual(gist(await verify([swapped, ...lines])), ['broken', 1, 'aud_1']);
  const mixed = makeLog({ keys, rewrite: ({ facts }) => (facts['team_id'] = facts.seq === 5 ? 'team_2' : 'team_1') });
  assert.deepEqual(gist(await verify(exportWhole(mixed))), ['broken', 5, 'aud_5']);
  assert.deepEqual(gist(await verify(exportWhole(ours), { kept: [theirs.checkpoints] })), ['broken', 1, null]);
});

test('a checkpoint with a wrong key, signature, tree, head, count or link is found', async (t) => {
  const { verify } = verifier(t);
  const keys = makeKeys();
  const asked = { key: keys.public };
  const [first, second] = makeLog({ keys }).checkpoints as [string, string];
  const withSecond = (line: string) => ({ ...makeLog({ keys }), checkpoints: [first, line] });
  const { signature } = JSON.parse(first) as { signature: string };
  const foreign = JSON.stringify({ ...(JSON.parse(second) as object), signature });
  assert.deepEqual(gist(await verify(exportWhole(withSecond(foreign)), asked)), ['broken', 5, 'aud_5']);

  const changes = [
    { merkle_root: 'f'.repeat(64) },
    { head_hash: 'f'.repeat(64) },
    { count: 8 },
    { previous: 'f'.repeat(64) },
    { previous: null },
    { from_seq: 4 },
    { from_seq: 6 },
    { key_id: 'f'.repeat(16) },
    { team_id: 'team_2' },
    { v: 2 },
    { note: 'more' },
  ];
  for (const change of changes) {
    const log = makeLog({ keys, count: 9, checkpoints: [4] });
    signCheckpoint(log, change);
    const answer = await verify(exportWhole(log), asked);
    assert.equal(answer.verdict, 'broken', JSON.stringify(change));
    assert.ok([4, 5, 6].includes(answer.first_bad?.seq ?? 0), JSON.stringify([change, answer.first_bad]));
  }
  const linked = makeLog({ keys, count: 9, checkpoints: [] });
  signCheckpoint(linked, { previous: 'f'.repeat(64) });
  assert.deepEqual(gist(await verify(exportWhole(linked), asked)), ['broken', 1, 'aud_1']);
  // 64 bytes leave four bits of the last letter unused.
  const spare = second.replace(/"signature":"[^"]*/, (text) =>
    text.replace(/.$/, (last) => ({ A: 'B', Q: 'R', g: 'h', w: 'x' })[last] ?? '!'),
  );
  assert.deepEqual(gist(await verify(exportWhole(withSecond(spare)), asked)), ['broken', 5, 'aud_5']);
  const missing = { ...makeLog({ keys }), checkpoints: [second] };
  assert.deepEqual(gist(await verify(exportWhole(missing))), ['broken', 1, 'aud_1']);
});

test('checkpoints that several servers kept are put together, in whichever order the files are named', async (t) => {
  const { verify } = verifier(t);
  const log = makeLog({ count: 20, checkpoints: [3, 6, 9, 12, 20] });
  const [a, b, c, d, e] = log.checkpoints as [string, string, string, string, string];
  for (const kept of [
    [
      [a, c, e],
      [b, d],
    ],
    [
      [b, d],
      [a, c, e],
    ],
    [[d]],
    [[a, e]],
    [[a], [a, b], []],
  ])
    assert.deepEqual(gist(await verify(exportWhole(log), { kept })), ['valid', 20]);
  // Signed after the export was made.
  const older = { ...log, checkpoints: [a, b] };
  assert.deepEqual(gist(await verify(exportWhole(older), { kept: [[c, e], [d]] })), ['valid', 20]);
  assert.deepEqual(gist(await verify(exportWhole(older), { kept: [[e]] })), ['valid', 20]);
  const cut = { ...log, rows: log.rows.slice(0, 10), checkpoints: [a, b, c] };
  assert.deepEqual(
    gist(
      await verify(exportWhole(cut), {
        kept: [
          [a, c],
          [b, d],
        ],
      }),
    ),
    ['broken', 11, null],
  );
});

test('kept checkpoints that were tampered with do not pass', async (t) => {
  const { verify } = verifier(t);
  const log = makeLog({ count: 9 });
  const [a, b] = log.checkpoints as [string, string];
  const other = makeLog({ keys: log.keys, count: 9, rewrite: ({ facts }) => (facts['action'] = 'other') }).checkpoints;
  const lists = [[a.replace('"count":4', '"count":5')], [b, a], [a, a], [a, ''], ['{}'], [other[0] as string], [a, other[1] as string]];
  for (const kept of lists) assert.equal((await verify(exportWhole(log), { kept: [kept] })).verdict, 'broken', kept.join('\n'));
});
