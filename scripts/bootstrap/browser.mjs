import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { say, stop } from './messages.mjs';
import { envWith } from './npm.mjs';
import { findProgram } from './programs.mjs';
import { ROOT } from './root.mjs';
import { aptGet, canInstall, distribution } from './system-packages.mjs';

const DOWNLOAD_MS = 10 * 60_000;
// The shell first: it draws no windows that nobody sees, so the tests take a sixth less.
const DEBIANS = ['chromium-headless-shell', 'chromium'];
const ON_PATH = ['google-chrome', 'google-chrome-stable', 'microsoft-edge'];
const ON_MAC = ['Google Chrome', 'Chromium', 'Microsoft Edge'].map((name) => `/Applications/${name}.app/Contents/MacOS/${name}`);

/**
 * The browser for the tests, by path: PADDOCK_BROWSER, else one on this machine. An empty string means Playwright's own,
 * which Playwright finds itself; undefined that there is none.
 */
export function findBrowser() {
  const named = process.env.PADDOCK_BROWSER;
  if (named) return existsSync(named) ? named : stop(`PADDOCK_BROWSER names ${named}, which is not there.`);
  if (hasPlaywrightsOwn()) return '';
  // On Ubuntu `chromium` is a door to a snap, whose confinement breaks browser tests.
  const names = distribution().includes('ubuntu') ? ON_PATH : [...DEBIANS, 'chromium-browser', ...ON_PATH];
  return names.map(findProgram).find(Boolean) ?? ON_MAC.find((path) => existsSync(path));
}

/** Gets a browser where there is none: Debian's as root on Debian, else Playwright's. Ends the bootstrap if neither works. */
export function ensureBrowser(node) {
  if (findBrowser() !== undefined) return;
  say('Installing a browser for the tests ...');
  if (canInstall() && !distribution().includes('ubuntu')) DEBIANS.find((name) => aptGet('install', name));
  if (findBrowser() !== undefined) return;
  const download = ['install', ...(canInstall() ? ['--with-deps'] : []), 'chromium-headless-shell'];
  spawnSync(node, [playwright('cli.js'), ...download], { cwd: ROOT, env: envWith(node), stdio: ['ignore', 2, 2], timeout: DOWNLOAD_MS });
  if (findBrowser() !== undefined) return;
  stop(
    `The tests need a browser. Install Chromium or Chrome, set PADDOCK_BROWSER to one, or run:\n\n    npx playwright ${download.join(' ')}`,
  );
}

function hasPlaywrightsOwn() {
  const path = createRequire(playwright('package.json'))('./index.js').chromium.executablePath();
  const shell = path.replace(/chromium-(\d+).*$/, 'chromium_headless_shell-$1');
  return existsSync(path) || existsSync(shell);
}

const playwright = (file) => join(dirname(createRequire(join(ROOT, 'package.json')).resolve('playwright-core/package.json')), file);
