import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { webSocketStream } from './web-socket-stream.ts';

/** A socket that a test opens and speaks through. */
class Socket extends EventTarget {
  static OPEN = 1;
  static latest: Socket;
  readyState = 0;
  constructor() {
    super();
    Socket.latest = this;
  }
  open() {
    this.readyState = 1;
    this.dispatchEvent(new Event('open'));
  }
  say(data: string) {
    this.dispatchEvent(new MessageEvent('message', { data }));
  }
  close() {
    this.readyState = 3;
  }
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('WebSocket', Socket);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

async function follow() {
  const events = { onOpen: vi.fn(), onLines: vi.fn(), onEnd: vi.fn(), onLost: vi.fn() };
  const stop = new AbortController();
  webSocketStream(async () => 'ticket')({ deploymentId: 'dep_1', after: 0, signal: stop.signal }, events);
  await vi.advanceTimersByTimeAsync(0);
  Socket.latest.open();
  return { events, stop, socket: Socket.latest };
}

test('a live log over which nothing is heard for ten seconds is lost, once', async () => {
  const { events, socket } = await follow();
  await vi.advanceTimersByTimeAsync(9000);
  expect(events.onLost).not.toHaveBeenCalled();
  socket.say('[]');
  await vi.advanceTimersByTimeAsync(9000);
  expect(events.onLost).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(20_000);
  expect(events.onLost).toHaveBeenCalledTimes(1);
});

test('an empty list is no line', async () => {
  const { events, socket } = await follow();
  socket.say('[]');
  expect(events.onLines).not.toHaveBeenCalled();
  socket.say('[{"number":1}]');
  expect(events.onLines).toHaveBeenCalledTimes(1);
});

test('a log that is left is not lost later', async () => {
  const { events, stop } = await follow();
  stop.abort();
  await vi.advanceTimersByTimeAsync(30_000);
  expect(events.onLost).not.toHaveBeenCalled();
});
