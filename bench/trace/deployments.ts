import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { zipSync } from 'fflate';
import { inFolder } from '../measure.ts';
import { startPaddock } from '../paddock.ts';

const rounds = 15;
/** The first ones warm up what every later one finds warm. */
const warmUp = 2;
const root = join(import.meta.dirname, '../..');

/** A moment of one deployment, in milliseconds since its archive was sent. */
type Moment = { name: string; at_ms: number };

/**
 * Prints when deployments of a ZIP without dependencies pass each failpoint, and how long they were under way since the one before: median
 * and range of all rounds. Rounds in which a moment is missing do not count for it.
 */
export function traceDeployments(): Promise<void> {
  return inFolder(async (folder) => {
    const { PADDOCK_TEST_PRODUCT: built = join(root, '.runtime/product/bench') } = process.env;
    process.env.PADDOCK_TEST_PRODUCT = built;
    execFileSync(process.execPath, [join(root, 'scripts/build-product.ts'), `${built}-failpoints`, '--failpoints'], { stdio: 'ignore' });
    const marks = join(folder, 'marks');
    const paddock = await startPaddock({ MARKS: marks }, join(folder, 'data'), ['--import', join(import.meta.dirname, 'marks.mjs')]);
    try {
      const { id } = await paddock.api<{ id: string }>('POST', '/projects', { name: 'traced' });
      const traces: Moment[][] = [];
      for (let n = 0; n < rounds; n++) {
        await sleep(2500); // preparations for the next deployment are over
        writeFileSync(marks, '');
        const server = `require('http').createServer((q, r) => r.end('round ${n};')).listen(process.env.PORT)`;
        const begun = performance.timeOrigin + performance.now();
        const { ms } = await paddock.deployTimed(
          { host: 'traced.localhost', project_id: id },
          new Blob([zipSync({ 'server.js': Buffer.from(server) })]),
          `round ${n};`,
        );
        traces.push([...momentsIn(readFileSync(marks, 'utf8'), begun), { name: 'answered', at_ms: ms }]);
      }
      print(traces.slice(warmUp));
    } finally {
      await paddock.close();
    }
  });
}

function momentsIn(text: string, begun: number): Moment[] {
  const lines = text.split('\n').filter(Boolean);
  return lines.map((line) => ({ name: line.slice(line.indexOf(' ') + 1), at_ms: Number.parseFloat(line) - begun }));
}

function print(traces: Moment[][]): void {
  const names = traces.at(-1)!.map(({ name }) => name);
  let before: string | undefined;
  console.log('since sending   since the line before');
  for (const name of names) {
    const moments = traces.map((trace) => [at(trace, name), before === undefined ? 0 : at(trace, before)]);
    const whole = moments.filter((pair): pair is [number, number] => pair.every((value) => value !== undefined));
    const [total, step] = [spread(whole.map(([now]) => now)), spread(whole.map(([now, then]) => now - then))];
    console.log(`${total.padEnd(15)} ${step.padEnd(20)} ${name}`);
    before = name;
  }
}

const at = (trace: Moment[], name: string) => trace.find((moment) => moment.name === name)?.at_ms;

function spread(values: number[]): string {
  const sorted = values.toSorted((a, b) => a - b).map(Math.round);
  return `${sorted[Math.floor(sorted.length / 2)]} (${sorted[0]}–${sorted.at(-1)})`;
}
