// Works through a queue in the background. It never listens, so it has no address; its log is all there is to see.
import { setTimeout as delay } from 'node:timers/promises';

const pauseMs = Number(process.env.PAUSE_SECONDS ?? 2) * 1000;
const topics = ['invoices', 'mail', 'calendar', 'backups'];
const stopping = new AbortController();
process.on('SIGTERM', () => stopping.abort());

console.log(JSON.stringify({ level: 'info', message: 'worker started', pause_ms: pauseMs }));
for (let round = 1; !stopping.signal.aborted; round += 1) {
  const topic = topics[round % topics.length];
  const level = round % 10 === 0 ? 'warn' : 'info';
  console.log(JSON.stringify({ level, message: level === 'warn' ? `${topic} took longer than usual` : `checked ${topic}`, round }));
  await delay(pauseMs, undefined, { signal: stopping.signal }).catch(ignoreAbort);
}
console.log(JSON.stringify({ level: 'info', message: 'worker stopped' }));

function ignoreAbort(error) {
  if (error.name !== 'AbortError') throw error;
}
