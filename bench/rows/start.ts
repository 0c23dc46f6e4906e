import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync, constants as zlib } from 'node:zlib';
import { median, memoryMb } from '../measure.ts';
import { startPaddock } from '../paddock.ts';
import { below, type Row } from '../row.ts';

const rounds = 3;
const dist = join(import.meta.dirname, '../../apps/console/dist');

export const row: Row = {
  name: 'start',
  seconds: 100,
  async run(report) {
    const [fresh, second, cpu, started, memory]: [number[], number[], number[], number[], number[]] = [[], [], [], [], []];
    for (let round = 0; round < rounds; round++) {
      const first = await startPaddock();
      fresh.push(first.ready_ms / 1000);
      await first.close(true);
      try {
        const again = await startPaddock({}, first.dataDir);
        second.push(again.ready_ms / 1000);
        cpu.push(again.ready_cpu_s);
        if (round === rounds - 1) {
          await sleep(3000);
          started.push(memoryMb(again.pids()));
          await sleep(72_000); // threads that only the start needed end after a minute
          memory.push(memoryMb(again.pids()));
        }
        await again.close(true);
      } finally {
        rmSync(first.dataDir, { recursive: true, force: true });
      }
    }
    const served = 's to a served console';
    report(below({ work: 'first start, new data directory', unit: served, ours: { values: fresh, digits: 2 }, max: 2 }));
    const note = `the server's own CPU until then: ${median(cpu).toFixed(2)} s`;
    report(below({ work: 'second start', unit: served, ours: { values: second, digits: 2 }, max: 1.2, note }));
    const atFirst = `three seconds after the start: ${median(started).toFixed(0)} MiB`;
    report(below({ work: 'idle memory, server and gateway', unit: 'MiB (PSS)', ours: { values: memory }, max: 200, note: atFirst }));
    for (const bundle of bundles()) report(bundle);
  },
};

function bundles() {
  const assets = readdirSync(join(dist, 'assets')).filter((name) => name.endsWith('.js'));
  // At the level at which the server has them (compress.ts of the console).
  const kb = (name: string) => gzipSync(readFileSync(join(dist, 'assets', name)), { level: zlib.Z_BEST_COMPRESSION }).length / 1000;
  const html = readFileSync(join(dist, 'index.html'), 'utf8');
  const entry = assets.filter((name) => html.includes(name)).reduce((sum, name) => sum + kb(name), 0);
  const routes = assets.filter((name) => !html.includes(name)).map(kb);
  const all = entry + routes.reduce((sum, one) => sum + one, 0);
  const of = (work: string, value: number, max: number) => below({ work, unit: 'kB gzipped', ours: { values: [value], digits: 1 }, max });
  return [
    of('console, entry', entry, 125),
    of('console, largest other file', Math.max(0, ...routes), 60),
    of('console, all JavaScript', all, 600),
  ];
}
