// Visitors with a WebSocket each. Asked, each of them sends a small message, waits for its echo, and sends the next, for some time.
import { connectAs, fail, openAll, settings } from './visitors.mjs';

const { port, hosts, connections } = settings;
const text = 'a message of thirty-two letters.';
const echo = Buffer.from(`\x81${String.fromCharCode(text.length)}${text}`, 'latin1');
// Masked, as visitors must, though with zeros.
const message = Buffer.concat([Buffer.from([0x81, 0x80 | text.length, 0, 0, 0, 0]), Buffer.from(text)]);
const fields = ['Upgrade: websocket', 'Connection: Upgrade', 'Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=='];
const all = [];
let run = { echoed: () => fail('an echo that nobody asked for') };

await openAll(connections, (n, ready) => {
  const socket = connectAs(n, port);
  socket.write(`GET /echo HTTP/1.1\r\nHost: ${hosts[n % hosts.length]}\r\n${fields.join('\r\n')}\r\n\r\n`);
  socket.once('data', (head) => {
    if (!head.latin1Slice().startsWith('HTTP/1.1 101')) fail(`not served: ${head.latin1Slice(0, 200)}`);
    let rest = Buffer.alloc(0);
    socket.on('data', (piece) => {
      rest = rest.length > 0 ? Buffer.concat([rest, piece]) : piece;
      if (rest.length < echo.length) return;
      if (!rest.equals(echo)) fail(`not the echo: ${rest.latin1Slice(0, 100)}`);
      rest = Buffer.alloc(0);
      run.echoed(socket);
    });
    all.push(socket);
    ready();
  });
  socket.on('error', (error) => fail(error.message));
  socket.on('close', () => fail('a WebSocket was closed'));
});
process.send('open');

process.on('message', ({ ms }) => {
  const end = performance.now() + ms;
  let [count, resting] = [0, 0];
  run = {
    echoed(socket) {
      count += 1;
      if (performance.now() < end) socket.write(message);
      else if (++resting === all.length) process.send({ count, alive: all.length });
    },
  };
  for (const socket of all) socket.write(message);
});
