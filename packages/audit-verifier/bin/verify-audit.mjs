#!/usr/bin/env node
// The verifier as a program of its own, for Node 22.6 or newer. Nothing needs to be installed. Plain JavaScript, since a Node that does not take
// TypeScript by itself is started once more with the flag for that.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const flag = '--experimental-strip-types';
const args = process.argv.slice(2);

if (process.features.typescript || process.execArgv.includes(flag)) {
  const { program } = await import('../src/program.ts');
  process.exitCode = await program(args);
} else if (!process.allowedNodeEnvironmentFlags.has(flag)) {
  process.stderr.write('verify-audit needs Node 22.6 or newer.\n');
  process.exitCode = 64;
} else {
  const again = [flag, '--disable-warning=ExperimentalWarning', fileURLToPath(import.meta.url), ...args];
  process.exitCode = spawnSync(process.execPath, again, { stdio: 'inherit' }).status ?? 64;
}
