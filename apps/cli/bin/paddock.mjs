#!/usr/bin/env node
// The tool as it runs from a clone. Plain JavaScript, since it has to work on a Node that cannot run the rest: then it finds one that can,
// as `npm start` does.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { installDependencies } from '../../../scripts/bootstrap/dependencies.mjs';
import { findNode } from '../../../scripts/bootstrap/node.mjs';
import { ROOT } from '../../../scripts/bootstrap/root.mjs';
import { run } from '../../../scripts/bootstrap/run.mjs';

const node = findNode();
// Only what a fresh clone lacks: bringing them up to date, under a server that may be running, is for `npm start`.
if (!existsSync(join(ROOT, 'node_modules/commander'))) installDependencies(node);
const main = join(ROOT, 'apps/cli/src/main.ts');
if (node === process.execPath) await import(pathToFileURL(main).href);
else run(node, [main, ...process.argv.slice(2)], { cwd: process.cwd() });
