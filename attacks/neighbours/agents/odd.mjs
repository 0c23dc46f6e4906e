// Answers `GET /answer/N` by the bytes of the Nth hostile answer, and everything else honestly.
import net from 'node:net';
import { gzipSync } from 'node:zlib';
import { hostileAnswers } from './answers.mjs';
import { oddAnswers } from './odd-answers.mjs';

const member = gzipSync(Buffer.alloc(16 * 1024 * 1024));
const answers = [...hostileAnswers(Buffer.concat(Array.from({ length: 64 }, () => member))), ...oddAnswers];

net
  .createServer((socket) => {
    socket.on('error', () => socket.destroy());
    socket.on('data', (bytes) => {
      const asked = /^\w+ \/answer\/(\d+)/.exec(bytes.toString('latin1', 0, 40))?.[1];
      if (asked) answers[Number(asked)].does(socket);
      else if (/^[A-Z]+ \//.test(bytes.toString('latin1', 0, 40))) socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
    });
  })
  .listen(Number(process.env.PORT), '0.0.0.0');
