import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { type Limits, limits } from '../limits.ts';
import { minuteRows } from './minute-rows.ts';

function rowsAt(startMinute: number, given: Partial<Limits> = {}) {
  const lost: string[] = [];
  const log = pino({ level: 'error' }, { write: (line: string) => void lost.push((JSON.parse(line) as { row: string }).row) });
  const clock = { minute: startMinute };
  const rows = minuteRows({ limits: { ...limits, ...given }, log, now: () => clock.minute * 60_000 + 1 });
  const count = (deployment: string) => {
    const row = rows.findOrAddRow(deployment);
    row.requests += 1;
    row.isDirty = true;
    return row;
  };
  const figures = () => rows.dirty().map(({ minute, deploymentId, requests }) => `${minute} ${deploymentId} ${requests}`);
  return { rows, clock, lost, count, figures };
}

test('each deployment has a row of its own for each minute', () => {
  const { clock, count, figures } = rowsAt(10);
  count('a');
  count('b');
  count('a');
  clock.minute = 11;
  count('a');
  assert.deepEqual(figures(), ['10 a 2', '10 b 1', '11 a 1']);
});

test('when the clock is set back, the minute goes on where it was', () => {
  const { clock, count, figures } = rowsAt(10);
  count('a');
  clock.minute = 11;
  count('a');
  clock.minute = 10;
  count('a');
  assert.deepEqual(figures(), ['10 a 2', '11 a 1']);
});

test('what is counted after a minute was forgotten is not lost', () => {
  const { rows, clock, count, figures } = rowsAt(10);
  count('a').isDirty = false;
  clock.minute = 11;
  rows.forgetPast();
  assert.deepEqual(figures(), []);
  clock.minute = 10;
  count('a');
  assert.deepEqual(figures(), ['10 a 1']);
});

test('a written row of the present minute stays, since its figures are absolute', () => {
  const { rows, count, figures } = rowsAt(10);
  count('a').isDirty = false;
  rows.forgetPast();
  count('a');
  assert.deepEqual(figures(), ['10 a 2']);
});

test('rows that cannot be written are kept for a while, and it is told when they are given up', () => {
  const { rows, clock, count, figures, lost } = rowsAt(10, { trafficMinutes: 5 });
  count('a');
  clock.minute = 15;
  rows.forgetPast();
  assert.deepEqual([figures(), lost], [['10 a 1'], []]);
  clock.minute = 16;
  rows.forgetPast();
  assert.deepEqual([figures(), lost], [[], ['10 a']]);
});

test('there are so many rows and no more: the oldest is given up, and it is told', () => {
  const { clock, count, figures, lost } = rowsAt(10, { trafficRows: 3 });
  for (const deployment of ['a', 'b', 'c', 'a']) count(deployment);
  assert.deepEqual(lost, []);
  clock.minute = 11;
  count('a');
  count('d');
  assert.deepEqual(lost, ['10 a', '10 b']);
  assert.deepEqual(figures(), ['10 c 1', '11 a 1', '11 d 1']);
});
