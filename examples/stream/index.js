// Tells what it does while it does it: server-sent events at /events, a page that shows them at /.
import { createServer } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

const PORT = Number(process.env.PORT ?? 8080);
const STEPS = ['reading the question', 'looking things up', 'weighing what was found', 'writing the answer'];
const ANSWER = 'A stream shows each piece the moment it is there, so nobody waits in front of an empty page.';

const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Streaming agent</title>
<link rel="icon" href="data:,">
<body style="font: 16px/1.6 system-ui, sans-serif; max-width: 40rem; margin: 2rem auto; padding: 0 1rem; color-scheme: light dark">
<ul id="steps"></ul>
<p id="answer" aria-live="polite"></p>
<script>
  const events = new EventSource('/events');
  events.addEventListener('step', ({ data }) => steps.append(Object.assign(document.createElement('li'), { textContent: data })));
  events.addEventListener('token', ({ data }) => answer.append(JSON.parse(data)));
  events.addEventListener('done', () => events.close());
</script>
</html>`;

const server = createServer((request, response) => {
  const { pathname } = new URL(request.url, 'http://agent');
  if (pathname === '/events') return void stream(response);
  if (pathname === '/') return response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(PAGE);
  return response.writeHead(404).end('Not found\n');
});

async function stream(response) {
  console.log('a reader came');
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  let sent = 0;
  for (const [event, data] of pieces()) {
    if (response.destroyed) return console.log(`the reader left after ${sent} events`);
    response.write(`id: ${++sent}\nevent: ${event}\ndata: ${data}\n\n`);
    await delay(event === 'step' ? 400 : 60);
  }
  response.end();
  console.log(`the reader got all ${sent} events`);
}

function* pieces() {
  for (const step of STEPS) yield ['step', step];
  for (const word of ANSWER.split(/(?<= )/)) yield ['token', JSON.stringify(word)];
  yield ['done', ''];
}

server.listen(PORT, () => console.log(`Streaming agent listens on port ${PORT}`));
process.on('SIGTERM', () => server.close(() => process.exit(0)));
