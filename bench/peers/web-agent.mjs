import { createServer } from 'node:http';

const body = JSON.stringify({ answer: 'x'.repeat(187) });
const head = { 'content-type': 'application/json', 'content-length': body.length };
createServer((_request, response) => response.writeHead(200, head).end(body)).listen(Number(process.argv[2]), '127.0.0.1');
