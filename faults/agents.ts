/** An agent that logs a counter, so that a lost or repeated line shows, and answers with `text`. Each process counts from the start. */
export const counterAgent = (text: string, everyMs = 50) => ({
  'server.js': `const born = process.hrtime.bigint().toString(36) + process.pid; let n = 0;
setInterval(() => console.log('count ' + born + ' ' + ++n), ${everyMs});
require('http').createServer((q, r) => {
  r.end(q.url === '/born' ? born : ${JSON.stringify(text)});
  if (q.url === '/crash') setTimeout(() => process.exit(7), 20);
}).listen(process.env.PORT);`,
});

/** The same agent with a build step that sleeps. */
export const built = (text: string, seconds = 1) => ({
  ...counterAgent(text),
  'package.json': JSON.stringify({ name: 'agent', version: '1.0.0', scripts: { build: `sleep ${seconds}`, start: 'node server.js' } }),
});
