import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setImmediate as turnOver } from 'node:timers/promises';
import { type Reader, ReadScheduler } from './read-scheduler.ts';

function clock(t: TestContext) {
  let now = 1_000;
  t.mock.method(performance, 'now', () => now);
  return (ms: number) => {
    now += ms;
  };
}

/** Streams that have data whenever they may read; each read takes `ms`. */
function streams(t: TestContext, count: number, ms: number) {
  const pass = clock(t);
  const turns = new ReadScheduler();
  let reads: number[] = [];
  let reading = Array.from({ length: count }, (_, at) => at);
  const readers = reading.map((at): Reader => ({ readAt: performance.now(), goOn: () => void reading.push(at) }));
  return {
    pass,
    turns,
    /** Runs one turn of the loop. Returns the readers. */
    async turn() {
      reads = reading;
      reading = [];
      for (const at of reads) {
        const beganAt = performance.now();
        pass(ms);
        if (!turns.end(readers[at]!, beganAt)) reading.push(at);
      }
      await turnOver();
      return reads;
    },
  };
}

test('streams whose reads take longer than their share of a turn wait for the next turns, in their order', async (t) => {
  const { turn } = streams(t, 6, 0.2);
  const read: number[][] = [];
  for (let n = 0; n < 6; n++) read.push(await turn());
  // At first there is time left, half of the elapsed time. The expected time of the readers that are released is counted before they read.
  assert.deepEqual(read, [
    [0, 1, 2, 3, 4, 5],
    [0, 1, 2, 3, 4, 5],
    [0, 1, 2],
    [3, 4, 5],
    [0, 1, 2],
    [3, 4, 5],
  ]);
});

test('streams whose reads are cheap do not wait', async (t) => {
  const { turn, turns } = streams(t, 20, 0.02);
  for (let n = 0; n < 50; n++) assert.equal((await turn()).length, 20);
  assert.equal(turns.waiting, 0);
});

test('streams that say something from time to time do not wait, however many say it at once', async (t) => {
  const { pass, turn, turns } = streams(t, 100, 0.1);
  pass(10);
  for (let n = 0; n < 5; n++) {
    assert.equal((await turn()).length, 100);
    pass(10);
  }
  assert.equal(turns.waiting, 0);
});

test('a stream alone reads in each turn, and no stream waits for ever', async (t) => {
  const alone = streams(t, 1, 5);
  for (let n = 0; n < 10; n++) assert.deepEqual(await alone.turn(), [0]);
  t.mock.restoreAll();
  const many = streams(t, 30, 5);
  const read = new Set<number>(await many.turn());
  assert.equal(read.size, 30);
  read.clear();
  for (let n = 0; n < 30; n++) for (const at of await many.turn()) read.add(at);
  assert.equal(read.size, 30);
});

test('who was held back by something else waits too while the share is used up, and is never forgotten', async (t) => {
  const { turn, turns } = streams(t, 1, 5);
  const went: string[] = [];
  const held = (name: string) => turns.waits({ readAt: performance.now(), goOn: () => void went.push(name) });
  assert.equal(held('before any read'), false);
  await turn();
  // The stream has been released and has not read yet; nothing else is in progress.
  assert.equal(held('while another was let go'), true);
  await turnOver();
  await turnOver();
  assert.deepEqual(went, ['while another was let go']);
});
