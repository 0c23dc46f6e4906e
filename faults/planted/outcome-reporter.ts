/** A reporter for `node --test` that writes one line of JSON per test: its name and whether it passed. */
import type { TestEvent } from 'node:test/reporters';

export default async function* outcomeReporter(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const event of events) {
    if (event.type !== 'test:pass' && event.type !== 'test:fail') continue;
    if (event.data.details.type === 'suite' || event.data.skip !== undefined) continue;
    yield `${JSON.stringify({ name: event.data.name, passed: event.type === 'test:pass' })}\n`;
  }
}
