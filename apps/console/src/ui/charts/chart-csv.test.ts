import { expect, test } from 'vitest';
import { chartCsv } from './chart-csv.ts';

const points = (...values: (number | null)[]) => values.map((value, index) => ({ at: Date.UTC(2026, 10, 23, 4, index), value }));
const all = { first: 0, last: 2, from: 0, to: 1 };

test('the file has ISO times, a column for each series, and nothing where nothing was measured', () => {
  const text = chartCsv(
    [
      { label: 'p50', points: points(12, null, 0.5) },
      { label: 'p95', points: points(40, -3, null) },
    ],
    all,
  );
  expect(text).toBe('Time,p50,p95\r\n2026-11-23T04:00:00.000Z,12,40\r\n2026-11-23T04:01:00.000Z,,-3\r\n2026-11-23T04:02:00.000Z,0.5,\r\n');
});

test('the file has what is in view', () => {
  const text = chartCsv([{ label: 'p50', points: points(1, 2, 3) }], { ...all, first: 1, last: 1 });
  expect(text).toBe('Time,p50\r\n2026-11-23T04:01:00.000Z,2\r\n');
});

test('no label becomes a formula or breaks its cell', () => {
  const labels = ['=1+1', '+1', '-1', '@x', '\tx', 'a "b", c'].map((label) => ({ label, points: [] }));
  expect(chartCsv(labels, all)).toBe(`Time,'=1+1,'+1,'-1,'@x,'\tx,"a ""b"", c"\r\n`);
});
