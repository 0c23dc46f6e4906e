/**
 * The `spec` reporter for one of many test files: it omits the totals, which would appear below each file, and tells the cause of a failure at
 * once. `spec` tells it when the file has ended, which a file that hangs never does.
 */
import { Readable } from 'node:stream';
import { spec, type TestEvent } from 'node:test/reporters';
import { inspect } from 'node:util';

const TOTAL = /^(?:tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) [\d.]+$/;

export default async function* fileReporter(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  yield* Readable.from(withoutTotals(events)).pipe(new spec());
}

async function* withoutTotals(events: AsyncIterable<TestEvent>): AsyncGenerator<TestEvent> {
  for await (const event of events) {
    const isTotal = event.type === 'test:diagnostic' && event.data.nesting === 0 && TOTAL.test(event.data.message);
    if (!isTotal) yield event;
    if (event.type === 'test:fail') yield* tellCause(event.data);
  }
}

/** The cause of a failed test as its output. A suite that fails only because of its tests has none of its own. */
function* tellCause({ file, details }: Extract<TestEvent, { type: 'test:fail' }>['data']): Generator<TestEvent> {
  const { failureType, cause } = details.error as Error & { failureType?: string };
  if (failureType === 'subtestsFailed') return;
  const message = `${cause instanceof Error ? cause.stack : inspect(cause ?? details.error)}\n`;
  yield { type: 'test:stderr', data: { file: file ?? '', message } };
}
