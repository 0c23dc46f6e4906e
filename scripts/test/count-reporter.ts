/** A reporter for one test file that writes the totals and the failures as JSON. */
import { relative } from 'node:path';
import type { TestEvent } from 'node:test/reporters';
import { inspect } from 'node:util';
import type { NodeReport } from './counts.ts';

export default async function* countReporter(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const failures: string[] = [];
  for await (const event of events) {
    if (event.type === 'test:fail') failures.push(...told(event.data));
    if (event.type !== 'test:summary') continue;
    // The types lack `failed`.
    const { tests, passed, cancelled, failed } = event.data.counts as typeof event.data.counts & { failed: number };
    const report: NodeReport = { passed, failed: failed + cancelled, skipped: tests - passed - failed - cancelled, failures };
    yield JSON.stringify(report);
  }
}

/** The failures of a test. A suite that fails only because of its tests has none of its own. */
function told({ name, file, line, details }: Extract<TestEvent, { type: 'test:fail' }>['data']): string[] {
  const { failureType, cause } = details.error as Error & { failureType?: string };
  if (failureType === 'subtestsFailed') return [];
  const place = file === undefined ? '' : ` (${relative(process.cwd(), file)}:${line ?? 1})`;
  const seconds = Math.round(details.duration_ms / 1000);
  return [`${name}${place}, after ${seconds} s\n${cause instanceof Error ? cause.stack : inspect(cause ?? details.error)}`];
}
