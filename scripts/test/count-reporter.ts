/** A reporter for `node --test` that writes nothing but the totals, as JSON. */
import type { TestEvent } from 'node:test/reporters';

export default async function* countReporter(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const event of events) {
    // Every file has a summary of its own; the one without a file is that of the whole run.
    if (event.type !== 'test:summary' || event.data.file !== undefined) continue;
    // The types leave `failed` out.
    const { tests, passed, cancelled, failed } = event.data.counts as typeof event.data.counts & { failed: number };
    yield JSON.stringify({ passed, failed: failed + cancelled, skipped: tests - passed - failed - cancelled });
  }
}
