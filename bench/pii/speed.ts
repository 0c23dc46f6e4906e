import { mask } from '../../packages/pii/src/index.ts';
import { quantile } from '../measure.ts';
import type { Result } from '../row.ts';
import { below } from '../row.ts';
import { agentMessage, busyText, cleanText, longMessage } from './messages.ts';

const ROUNDS = 7;
const MESSAGES = 3000;

/** Speed of finding and masking values on one core, with all types on. */
export function measureSpeed(report: (result: Result) => void): void {
  const unit = 'MB/s';
  const clean = rounds(() => perSecond(cleanText, 'text'));
  report({
    work: 'masking text without candidates',
    unit,
    ours: told(clean),
    peer: '–',
    goal: 'at least 100',
    met: quantile(clean, 0.5) >= 100,
  });
  report({ work: 'masking prose with dates and amounts', unit, ours: told(rounds(() => perSecond(busyText, 'text'))), peer: '–' });
  const micros = rounds(() => microsEach(agentMessage));
  report(below({ work: `masking JSON of ${agentMessage.length} bytes`, unit: 'µs', ours: { values: micros, digits: 1 }, max: 20 }));
  const slowest = rounds(() => quantile(timesOf(longMessage), 0.99));
  const note = 'by the clock: it holds on a machine without other work';
  report(
    below({ work: `masking JSON of ${longMessage.length} bytes, p99`, unit: 'µs', ours: { values: slowest, digits: 1 }, max: 100, note }),
  );
}

/** The first round warms the code up. */
function rounds(measure: () => number): number[] {
  measure();
  return Array.from({ length: ROUNDS }, measure);
}

function perSecond(text: string, format: 'json' | 'text'): number {
  const times = 20;
  const ms = spent(() => {
    for (let i = 0; i < times; i++) mask(text, { format });
  });
  return (text.length * times) / ms / 1000;
}

function microsEach(message: string): number {
  const ms = spent(() => {
    for (let i = 0; i < MESSAGES; i++) mask(message, { format: 'json' });
  });
  return (ms * 1000) / MESSAGES;
}

/** Uses the wall clock: the processor time of a thread has steps that are longer than a message takes. */
function timesOf(message: string): number[] {
  return Array.from({ length: MESSAGES }, () => {
    const begun = performance.now();
    mask(message, { format: 'json' });
    return (performance.now() - begun) * 1000;
  });
}

/** Milliseconds of this thread's processor time, so that a busy machine does not count. */
function spent(work: () => unknown): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

const told = (values: number[]) =>
  `${quantile(values, 0.5).toFixed(0)} (${Math.min(...values).toFixed(0)}–${Math.max(...values).toFixed(0)})`;
