// Visits one agent at a steady rate between the messages `begin` and `end`, every second visit on a new connection: visitor.ts PORT HOST
import { Agent, get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

const [port = '', host = ''] = process.argv.slice(2);
const perSecond = 250;
const maxMs = 10_000;
const kept = new Agent({ keepAlive: true, maxFreeSockets: 64 });

export interface Visit {
  /** Milliseconds since the first visit. */
  at: number;
  ms: number;
  /** Why the visit failed. */
  failed?: string;
}

let visits: Promise<Visit>[] = [];
let isOver = false;
let going = Promise.resolve();

process.on('message', (word) => {
  if (word === 'begin') {
    visits = [];
    isOver = false;
    going = visitSteadily();
  } else {
    isOver = true;
    void going.then(() => Promise.all(visits)).then((list) => process.send?.(list));
  }
});
process.on('disconnect', () => process.exit());

/** Each visit begins on schedule, however long the previous one takes. */
async function visitSteadily(): Promise<void> {
  const begun = performance.now();
  for (let n = 0; !isOver && n < 100_000; n++) {
    visits.push(visit(begun, n % 2 === 0));
    await sleep(Math.max(0, begun + ((n + 1) * 1000) / perSecond - performance.now()));
  }
}

function visit(origin: number, isNew: boolean): Promise<Visit> {
  const begun = performance.now();
  return new Promise((resolve) => {
    const done = (failed?: string) => resolve({ at: begun - origin, ms: performance.now() - begun, ...(failed && { failed }) });
    const call = get({ host: '127.0.0.1', port, headers: { host }, agent: isNew ? false : kept, timeout: maxMs }, (answer) => {
      let body = '';
      answer.setEncoding('utf8').on('data', (piece: string) => (body += piece));
      answer.on('error', (error: NodeJS.ErrnoException) => done(error.code));
      answer.on('end', () => done(answer.statusCode === 200 && body === 'the neighbour' ? undefined : `status ${answer.statusCode}`));
    });
    call.on('timeout', () => call.destroy(Object.assign(new Error('no answer'), { code: `no answer in ${maxMs / 1000} s` })));
    call.on('error', (error: NodeJS.ErrnoException) => done(error.code ?? error.message));
  });
}
