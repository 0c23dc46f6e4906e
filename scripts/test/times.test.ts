import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCpuMeter, timeReport } from './times.ts';

test('the time of each stage is reported with its share of the cores, then their sum, and the files that took longest come first', () => {
  const files = Array.from({ length: 25 }, (_, n) => ({ file: `f${n}.test.ts`, seconds: n, ...(n === 24 && { cpu_seconds: 3.14 }) }));
  const stages = [
    { name: 'Node tests', seconds: 100, cpu_seconds: 50 },
    { name: 'Console tests', seconds: 90, cpu_seconds: 25 },
  ];
  const lines = timeReport({ seconds: 101, idle: 0.06 }, stages, files).split('\n');
  assert.match(lines[0] ?? '', /^Node tests: 100 s, 50 s of CPU \(\d+ % of \d+ cores\)$/);
  assert.match(lines[2] ?? '', /^All, beside each other: 101 s, 75 s of CPU \(\d+ % of \d+ cores\)$/);
  assert.match(lines[3] ?? '', /^The cores were busy for 94 % of the time/);
  assert.deepEqual([lines[5]?.trim(), lines[6]?.trim(), lines.length], ['24.0 s  f24.test.ts, 3.1 s of CPU', '23.0 s  f23.test.ts', 25]);
});

test('where the system does not report processor times, none are made up', () => {
  const report = timeReport({ seconds: 10 }, [{ name: 'Check', seconds: 10, cpu_seconds: undefined }], []);
  assert.equal(report.trim(), 'Check: 10 s\nAll, beside each other: 10 s');
});

test('what the time of children grew between two exits is the processor time of the second child', () => {
  const readings = [5, 7.5, 7.5, 10];
  const meter = createCpuMeter(() => readings.shift());
  assert.deepEqual([meter.sinceLastExit(), meter.sinceLastExit(), meter.sinceLastExit()], [2.5, 0, 2.5]);
});
