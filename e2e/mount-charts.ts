import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { chromium } from '@playwright/test';

const consoleFolder = join(import.meta.dirname, '../apps/console');
const types: Record<string, string> = { html: 'text/html', js: 'text/javascript', css: 'text/css' };
const buildMs = 120_000;

/** Builds the page of charts into a folder, in the same way as the console. */
export function buildCharts(outDir: string): void {
  const vite = join(dirname(createRequire(import.meta.url).resolve('vite/package.json')), 'bin/vite.js');
  const args = [vite, 'build', '--config', 'test/charts-page/vite.config.ts', '--outDir', outDir, '--emptyOutDir', '--logLevel', 'warn'];
  execFileSync(process.execPath, args, { cwd: consoleFolder, stdio: 'inherit', timeout: buildMs });
}

/** The milliseconds until the charts were on their canvases, for each round. */
export async function mountCharts(
  folder: string,
  { rounds, executablePath }: { rounds: number; executablePath: string },
): Promise<number[]> {
  const server = createServer((request, response) => {
    const path = join(folder, request.url === '/' ? 'index.html' : (request.url ?? ''));
    if (!existsSync(path)) return response.writeHead(404).end();
    response.writeHead(200, { 'content-type': types[path.split('.').at(-1) ?? ''] ?? 'application/octet-stream' }).end(readFileSync(path));
  }).listen(0, '127.0.0.1');
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  try {
    const tab = await browser.newPage({ viewport: { width: 1320, height: 1600 } });
    await tab.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    await tab.waitForFunction('document.title === "ready"');
    const times: number[] = [];
    // The first two rounds load and compile the code of the canvas.
    for (let round = -2; round < rounds; round++) {
      const took = await tab.evaluate<number>('mountCharts()');
      if (round >= 0) times.push(took);
    }
    return times;
  } finally {
    await browser.close();
    server.close();
  }
}
