// Visitors who have asked once and keep their connection. Asked, it tells how many of the connections are still open.
import { connectAs, eachAnswer, openAll, settings } from './visitors.mjs';

const { port, hosts, connections } = settings;
let open = 0;
await openAll(connections, (n, ready) => {
  const socket = connectAs(n, port);
  socket.write(`GET / HTTP/1.1\r\nHost: ${hosts[n % hosts.length]}\r\n\r\n`);
  open += 1;
  socket.on('close', () => (open -= 1));
  eachAnswer(socket, ready);
});
process.send('open');
process.on('message', () => process.send({ open }));
