// An OpenAI-like model that answers every chat with the same 2 kB, in which personal data stands, and counts what reached it unmasked.
import { createServer } from 'node:http';

const { planted, answer } = JSON.parse(process.env.CHAT_AGENT);
const reply = JSON.stringify({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1_780_000_000,
  model: 'bench',
  choices: [{ index: 0, message: { role: 'assistant', content: answer }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 500, completion_tokens: 500, total_tokens: 1000 },
});
let received = {};
const serve = (request, response) => {
  const parts = [];
  request.on('data', (part) => parts.push(part));
  request.on('end', () => {
    const text = Buffer.concat(parts).toString();
    const isQuestion = request.method === 'GET';
    if (!isQuestion && request.headers['x-count'])
      for (const [type, value] of Object.entries(planted)) if (text.includes(value)) received[type] = (received[type] ?? 0) + 1;
    const body = isQuestion ? JSON.stringify(received) : reply;
    if (isQuestion) received = {};
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }).end(body);
  });
};
for (const port of process.argv.slice(2)) createServer(serve).listen(Number(port), '127.0.0.1', 1024);
