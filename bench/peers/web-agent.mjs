import { createServer } from 'node:http';

const small = JSON.stringify({ answer: 'x'.repeat(187) });
const large = JSON.stringify({ answer: 'x'.repeat(64 * 1024 - 13) });
const answer = (response, body) => response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length }).end(body);

/** Answers with what was asked, as it came. */
const echo = (request, response) => {
  const pieces = [];
  request.on('data', (piece) => pieces.push(piece));
  request.on('end', () => answer(response, Buffer.concat(pieces)));
};

const serve = (request, response) => {
  if (request.method !== 'POST') return answer(response, request.url === '/large' ? large : small);
  if (request.url === '/echo') return echo(request, response);
  request.resume();
  request.on('end', () => answer(response, small));
};
for (const port of process.argv.slice(2)) createServer(serve).listen(Number(port), '127.0.0.1', 1024);
