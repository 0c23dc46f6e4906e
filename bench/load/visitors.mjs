// Shared parts of the load generators in this folder: raw connections from many addresses, and reading responses.
import { once } from 'node:events';
import { connect } from 'node:net';

/** The first message; ten thousand hosts are too long for an argument. */
export const [settings] = await once(process, 'message');

/** A server limits connections per address, so the visitors use 30 addresses. */
export const connectAs = (n, port) => connect({ host: '127.0.0.1', port, localAddress: `127.0.0.${2 + (n % 30)}`, noDelay: true });

export function fail(what) {
  console.error(what);
  process.exit(1);
}

/** Calls back for each whole answer; all of them have a Content-Length, and anything but a 200 ends the load. */
export function eachAnswer(socket, answered) {
  let rest = Buffer.alloc(0);
  socket.on('data', (piece) => {
    rest = rest.length > 0 ? Buffer.concat([rest, piece]) : piece;
    for (;;) {
      const end = rest.indexOf('\r\n\r\n');
      if (end < 0) return;
      const head = rest.latin1Slice(0, end);
      if (!head.startsWith('HTTP/1.1 200')) fail(`not served: ${head.split('\r\n', 1)[0]}`);
      const whole = end + 4 + Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? fail(`an answer without a length:\n${head}`));
      if (rest.length < whole) return;
      rest = rest.subarray(whole);
      answered();
    }
  });
  socket.on('error', (error) => fail(error.message));
}

/** Connects all, a few at a time; `open` connects one and calls back when that is ready. */
export function openAll(count, open) {
  return new Promise((resolve) => {
    let [begun, ready] = [0, 0];
    const next = () => {
      if (begun < count)
        open(begun++, () => {
          ready += 1;
          if (ready === count) resolve();
          else next();
        });
    };
    for (let n = 0; n < 64; n++) next();
  });
}
