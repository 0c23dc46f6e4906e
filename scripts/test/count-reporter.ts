/** A reporter for `node --test` that writes the totals, what failed, and how long each file took, as JSON. */
import { relative } from 'node:path';
import type { TestEvent } from 'node:test/reporters';
import { inspect } from 'node:util';
import type { Counts } from './counts.ts';
import type { FileTime } from './times.ts';

export default async function* countReporter(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const failures: string[] = [];
  const files: FileTime[] = [];
  for await (const event of events) {
    if (event.type === 'test:fail') failures.push(...told(event.data));
    if (event.type !== 'test:summary') continue;
    // Every file has a summary of its own; the one without a file is that of the whole run.
    const { file, duration_ms } = event.data;
    if (file !== undefined) {
      files.push({ file: relative(process.cwd(), file), seconds: duration_ms / 1000 });
      continue;
    }
    // The types leave `failed` out.
    const { tests, passed, cancelled, failed } = event.data.counts as typeof event.data.counts & { failed: number };
    const counts: Counts = { passed, failed: failed + cancelled, skipped: tests - passed - failed - cancelled, failures, files };
    yield JSON.stringify(counts);
  }
}

/** A group fails with its tests, and says no more than that. */
function told({ name, file, line, details }: Extract<TestEvent, { type: 'test:fail' }>['data']): string[] {
  const { failureType, cause } = details.error as Error & { failureType?: string };
  if (failureType === 'subtestsFailed') return [];
  const place = file === undefined ? '' : ` (${relative(process.cwd(), file)}:${line ?? 1})`;
  const seconds = Math.round(details.duration_ms / 1000);
  return [`${name}${place}, after ${seconds} s\n${cause instanceof Error ? cause.stack : inspect(cause ?? details.error)}`];
}
