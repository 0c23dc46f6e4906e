#!/usr/bin/env node
// Behind every npm script: gets what a fresh clone lacks, then runs the command. Plain JavaScript without dependencies,
// since it has to work on Node 18 and before anything is installed. When nothing is missing it prints nothing.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBrowser, findBrowser } from './bootstrap/browser.mjs';
import { buildConsole } from './bootstrap/console.mjs';
import { installDependencies } from './bootstrap/dependencies.mjs';
import { stop } from './bootstrap/messages.mjs';
import { findNode } from './bootstrap/node.mjs';
import { buildProduct } from './bootstrap/product.mjs';
import { ROOT } from './bootstrap/root.mjs';
import { run } from './bootstrap/run.mjs';
import { serverProcess } from './bootstrap/server-process.mjs';
import { supervise } from './bootstrap/supervise.mjs';
import { ensurePrograms, FOR_AGENTS, FOR_BUILDS, FOR_DATABASES, FOR_TESTS } from './bootstrap/system-packages.mjs';
import { buildTool } from './bootstrap/tool.mjs';

/** `product`: what the command starts as the server is built before, and the command itself ('runs it') or the tests ('told') know where. */
const COMMANDS = {
  start: {
    program: 'apps/server/src/main.ts',
    leftovers: 'apps/server/src/process/end-orphans.ts',
    console: true,
    product: 'runs it',
    system: { wanted: [...FOR_AGENTS, ...FOR_DATABASES, ...FOR_BUILDS], must: false },
  },
  dev: { program: 'scripts/dev.ts', console: false, system: { wanted: [...FOR_AGENTS, ...FOR_DATABASES, ...FOR_BUILDS], must: false } },
  test: {
    program: 'scripts/test.ts',
    console: true,
    product: 'told',
    system: { wanted: [...FOR_AGENTS, ...FOR_DATABASES, ...FOR_TESTS], must: true },
    browser: true,
  },
  'test:long': {
    program: 'scripts/test.ts',
    args: ['--long'],
    console: true,
    product: 'told',
    system: { wanted: [...FOR_AGENTS, ...FOR_DATABASES, ...FOR_TESTS], must: true },
    browser: true,
  },
  check: { program: 'scripts/check.ts', console: true },
  'test:faults': {
    program: 'faults/run.ts',
    console: true,
    system: { wanted: [...FOR_AGENTS, ...FOR_DATABASES, ...FOR_TESTS], must: true },
  },
  'test:soak': { program: 'faults/soak.ts', console: true, system: { wanted: [...FOR_AGENTS, ...FOR_DATABASES], must: true } },
  'test:planted': {
    program: 'faults/planted.ts',
    console: true,
    system: { wanted: [...FOR_AGENTS, ...FOR_DATABASES, ...FOR_TESTS], must: true },
    browser: true,
  },
  bench: { program: 'bench/run.ts', console: true, product: 'told', system: { wanted: [...FOR_AGENTS, ...FOR_DATABASES], must: true } },
};

const [name, ...args] = process.argv.slice(2);
const command = COMMANDS[name];
if (!command) stop(`Usage: node scripts/bootstrap.mjs ${Object.keys(COMMANDS).join('|')} [arguments]`);

const node = findNode();
installDependencies(node);
if (command.system) ensurePrograms(command.system);
if (command.browser) {
  ensureBrowser(node);
  process.env.PADDOCK_BROWSER = findBrowser();
}
if (command.console) {
  buildConsole(node);
  buildTool(node);
}
const built = command.product && buildProduct(node, { forTests: command.product === 'told' });
const find = (file) => (command.product === 'runs it' ? join(built, file.replace(/\.ts$/, '.mjs')) : join(ROOT, file));
const program = find(command.program);
if (!existsSync(program)) stop(`${command.program} is not in this copy of Paddock. Is the clone complete?`);
if (command.product === 'told') process.env.PADDOCK_TEST_PRODUCT = built;
if (command.leftovers) {
  const { args: small, env } = serverProcess();
  process.env = { ...env, ...process.env };
  supervise(node, [...small, program, ...args], { leftovers: [find(command.leftovers), ...args] });
} else run(node, [program, ...(command.args ?? []), ...args]);
