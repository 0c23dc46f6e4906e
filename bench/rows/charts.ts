import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { below, type Row } from '../row.ts';
import { Skipped } from '../skipped.ts';

const consoleFolder = join(import.meta.dirname, '../../apps/console');
const page = join(consoleFolder, 'test/charts-page');
const browserPath = process.env.PADDOCK_BROWSER ?? '/usr/bin/chromium';
const rounds = 20;
const types: Record<string, string> = { html: 'text/html', js: 'text/javascript', css: 'text/css' };

export const row: Row = {
  name: 'charts',
  seconds: 20,
  async run(report) {
    if (!existsSync(browserPath)) throw new Skipped(`there is no browser at ${browserPath}; on Debian: apt-get install chromium`);
    const folder = await mkdtemp(join(tmpdir(), 'paddock-charts-'));
    try {
      await build(folder);
      report(
        below({
          work: 'four charts of 10,000 points each shown, once the page has its code',
          unit: 'ms',
          ours: { values: await mount(folder), digits: 1 },
          max: 30,
          note: 'until all four are on their canvases, in a headless Chromium',
        }),
      );
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

/** As it is shipped. */
async function build(outDir: string): Promise<void> {
  const from = createRequire(join(consoleFolder, 'package.json'));
  const [vite, react, tailwind] = (await Promise.all(
    ['vite', '@vitejs/plugin-react', '@tailwindcss/vite'].map((name) => import(from.resolve(name))),
  )) as [typeof import('vite'), { default: () => never }, { default: () => never }];
  const plugins = [react.default(), tailwind.default()];
  await vite.build({ configFile: false, root: page, plugins, logLevel: 'warn', build: { outDir, emptyOutDir: true } });
}

async function mount(folder: string): Promise<number[]> {
  const { chromium } = createRequire(join(consoleFolder, '../../e2e/package.json'))(
    '@playwright/test',
  ) as typeof import('@playwright/test');
  const server = createServer((request, response) => {
    const path = request.url === '/' ? '/index.html' : (request.url ?? '');
    if (!existsSync(join(folder, path))) return response.writeHead(404).end();
    response
      .writeHead(200, { 'content-type': types[path.split('.').at(-1) ?? ''] ?? 'application/octet-stream' })
      .end(readFileSync(join(folder, path)));
  }).listen(0, '127.0.0.1');
  const browser = await chromium.launch({ executablePath: browserPath, args: ['--no-sandbox'] });
  try {
    const tab = await browser.newPage({ viewport: { width: 1320, height: 1600 } });
    await tab.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    await tab.waitForFunction('document.title === "ready"');
    const times: number[] = [];
    // The first two load the code of the canvas and are compiled.
    for (let round = -2; round < rounds; round++) {
      const took = (await tab.evaluate('mountCharts()')) as number;
      if (round >= 0) times.push(took);
    }
    return times;
  } finally {
    await browser.close();
    server.close();
  }
}
