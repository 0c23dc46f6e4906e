// Raw subscribers in a process of their own, the same for both sides: sockets that are told one opening, then count how often a
// mark appears in what comes. Told by argument: port, openings as JSON, mark. Prints the count whenever a line comes on standard input.
import { connect } from 'node:net';

const [port, openings, mark] = [Number(process.argv[2]), JSON.parse(process.argv[3]), Buffer.from(process.argv[4])];
let counted = 0;
let open = 0;
for (const [n, opening] of openings.entries()) {
  let rest = Buffer.alloc(0);
  // Several addresses, because a server limits connections per address.
  const from = { host: '127.0.0.1', port, localAddress: `127.0.0.${2 + (n % 8)}` };
  const socket = connect(from, () => socket.write(opening));
  socket.once('data', () => ++open === openings.length && console.log('open'));
  socket.on('data', (piece) => {
    const data = rest.length ? Buffer.concat([rest, piece]) : piece;
    let at = 0;
    for (let found = data.indexOf(mark); found >= 0; found = data.indexOf(mark, at)) {
      counted += 1;
      at = found + mark.length;
    }
    rest = Buffer.from(data.subarray(Math.max(at, data.length - mark.length + 1)));
  });
  socket.on('error', (error) => {
    console.error(error.message);
    process.exit(1);
  });
}
process.stdin.on('data', () => console.log(`counted ${counted}`));
