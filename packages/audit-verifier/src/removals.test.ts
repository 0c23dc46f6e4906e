import assert from 'node:assert/strict';
import { test } from 'node:test';
import { erase, exportFiltered, exportWhole, type Log, makeKeys, makeLog, removalLine } from '../test/make-log.ts';
import { verifier } from '../test/verify-lines.ts';

const erased = (...seqs: number[]): Log => {
  const log = makeLog({ count: 9, checkpoints: [4, 9] });
  for (const seq of seqs) erase(log.rows[seq - 1]!);
  return log;
};
/** The export with its removals replaced by these lines. */
const withRemovals = (lines: string[], removals: string[]) => [
  lines[0]!,
  ...removals,
  ...lines.slice(1).filter((line) => !line.includes('"type":"removal"')),
];

test('a payload that is missing and in no signed removal breaks the export at its record', async (t) => {
  const { verify } = verifier(t);
  const log = erased(2, 3, 6);
  const options = { key: log.keys.public };
  const verdictOf = async (...removals: string[]) => {
    const { verdict, first_bad } = await verify(withRemovals(exportWhole(log), removals), options);
    return { verdict, seq: first_bad?.seq };
  };
  assert.deepEqual(await verdictOf(removalLine(log, [[6, 6]]), removalLine(log, [[2, 3]])), { verdict: 'valid', seq: undefined });
  assert.deepEqual(await verdictOf(removalLine(log, [[2, 3]])), { verdict: 'broken', seq: 6 });
  assert.deepEqual(await verdictOf(), { verdict: 'broken', seq: 2 });
  const filtered = await verify(withRemovals(exportFiltered(log, [1, 6]), []), options);
  assert.partialDeepStrictEqual(filtered, { verdict: 'broken', first_bad: { seq: 6 } });
});

test('removals that another key signed, of another team, or that are malformed prove nothing', async (t) => {
  const { verify } = verifier(t);
  const log = erased(2);
  const sound = removalLine(log, [[2, 2]]);
  for (const line of [
    removalLine({ teamId: log.teamId, keys: makeKeys() }, [[2, 2]]),
    removalLine({ teamId: log.teamId, keys: { ...makeKeys(), id: log.keys.id } }, [[2, 2]]),
    removalLine({ ...log, teamId: 'team_2' }, [[2, 2]]),
    removalLine(log, [[2, 1]]),
    removalLine(log, [[0, 9]]),
    removalLine(log, [[2, 2, 3] as never]),
    sound.replace('[[2,2]]', '[[2,3]]'),
    sound.replace('"retention"', '"erasure"'),
  ]) {
    const { verdict } = await verify(withRemovals(exportWhole(log), [line]), { key: log.keys.public });
    assert.equal(verdict, 'broken', line);
  }
});

test('an export of version 1 with missing payloads is unproven, and says why', async (t) => {
  const { verify } = verifier(t);
  const old = (log: Log) =>
    withRemovals(exportWhole(log), []).map((line) => line.replace('"type":"header","v":2', '"type":"header","v":1'));
  const log = erased(2);
  const answer = await verify(old(log), { key: log.keys.public });
  assert.equal(answer.verdict, 'unproven');
  assert.match(answer.note ?? '', /does not list lawful removals/);
  const whole = erased();
  assert.equal((await verify(old(whole), { key: whole.keys.public })).verdict, 'valid');
});
