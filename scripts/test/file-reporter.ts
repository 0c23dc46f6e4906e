/** The `spec` reporter for one of many test files: it omits the totals, which would appear below each file. */
import { Readable } from 'node:stream';
import { spec, type TestEvent } from 'node:test/reporters';

const TOTAL = /^(?:tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) [\d.]+$/;

export default async function* fileReporter(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  yield* Readable.from(withoutTotals(events)).pipe(new spec());
}

async function* withoutTotals(events: AsyncIterable<TestEvent>): AsyncGenerator<TestEvent> {
  for await (const event of events) {
    const isTotal = event.type === 'test:diagnostic' && event.data.nesting === 0 && TOTAL.test(event.data.message);
    if (!isTotal) yield event;
  }
}
