// For `node --import`: activates the failpoints in the product's source, in this process only. The file with a failpoint's name in the
// folder FAILPOINTS says what the failpoint does; without a file it does nothing.
import { appendFileSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Behaviour } from './points.ts';
import { withFailpoints } from './source.ts';

const folder = process.env.FAILPOINTS;
if (!folder) throw new Error('FAILPOINTS must name a folder');

/** Limit of a pause that is not released. */
const pauseMs = 120_000;
const product = /\/(apps|packages)\/[a-z]+\/src\/[^?]*\.ts$/;

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    if (!product.test(url) || !loaded.source) return loaded;
    const text = typeof loaded.source === 'string' ? loaded.source : Buffer.from(loaded.source as Uint8Array).toString('utf8');
    return { ...loaded, source: withFailpoints(text) };
  },
});

/** Blocks the event loop for ever, like a pattern with catastrophic backtracking. */
function spin(): never {
  for (;;);
}

Object.assign(globalThis, {
  async __failpoint(name: string) {
    const file = join(folder, name);
    if (!existsSync(file)) return;
    const behaviour = JSON.parse(readFileSync(file, 'utf8')) as Behaviour;
    appendFileSync(`${file}.hits`, `${process.pid}\n`);
    const hits = readFileSync(`${file}.hits`, 'utf8').split('\n').length - 1;
    if (hits <= (behaviour.after ?? 0)) return;
    if (!behaviour.always) rmSync(file);
    if (behaviour.do === 'delay') await sleep(behaviour.ms);
    if (behaviour.do === 'throw') throw new Error(`failpoint ${name}`);
    if (behaviour.do === 'die') process.kill(process.pid, 'SIGKILL');
    if (behaviour.do === 'stop') process.kill(process.pid, 'SIGSTOP');
    if (behaviour.do === 'spin') spin();
    if (behaviour.do === 'pause') for (const end = Date.now() + pauseMs; !existsSync(`${file}.go`) && Date.now() < end; ) await sleep(10);
    if (behaviour.do === 'die') await new Promise(() => undefined); // the signal may be a moment late
  },
});
