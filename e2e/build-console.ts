import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const buildMs = 120_000;

/** The tests use the shipped files, so the console and the CLI are built first (a few seconds), unless `npm test` has built them. */
export default function buildConsole() {
  if (process.env.PADDOCK_TEST_IS_BUILT) return;
  const vite = join(dirname(createRequire(import.meta.url).resolve('vite/package.json')), 'bin/vite.js');
  execFileSync(process.execPath, [vite, 'build', '--logLevel', 'warn'], {
    cwd: join(import.meta.dirname, '../apps/console'),
    stdio: 'inherit',
    timeout: buildMs,
  });
  execFileSync(process.execPath, [join(import.meta.dirname, '../apps/cli/build.ts')], { stdio: 'inherit', timeout: buildMs });
}
