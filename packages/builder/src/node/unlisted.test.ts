import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { makePlan } from '../detect/make-plan.ts';

const home = mkdtempSync(join(tmpdir(), 'paddock-unlisted-node-'));
after(() => rmSync(home, { recursive: true, force: true }));
let count = 0;
const toolchains = { python: [], pythonMinors: [], node: { version: '24.21.0', path: '' }, nodeMajors: [] };

async function unlistedOf(files: Record<string, string>, pkg: object = {}) {
  const dir = join(home, `agent-${count++}`);
  const manifest = {
    name: 'agent',
    scripts: { start: 'node server.js' },
    dependencies: { express: '5' },
    devDependencies: { vitest: '4' },
    ...pkg,
  };
  for (const [name, content] of Object.entries({ 'package.json': JSON.stringify(manifest), ...files })) {
    mkdirSync(dirname(join(dir, name)), { recursive: true });
    writeFileSync(join(dir, name), content);
  }
  return (await makePlan(dir, {}, toolchains)).unlisted_modules ?? [];
}

test('packages that a Node start loads and package.json does not list are known to the plan', async () => {
  const server = [
    "import express from 'express';",
    'import {',
    '  Server,',
    "} from 'ws';",
    "import 'dotenv/config';",
    'export * from "@desk/bell/loud";',
    "const pg = require('pg');",
    "import fs, { readFile } from 'node:fs';",
    'import path from "path";',
  ].join('\n');
  assert.deepEqual(await unlistedOf({ 'server.js': server }), ['@desk/bell', 'dotenv', 'pg', 'ws']);
});

test('the files that the start imports count, and no others', async () => {
  const files = {
    'server.js': "import './lib/tools.js';",
    'lib/tools.ts': "import more from './more';",
    'lib/more/index.js': "import 'ws';",
  };
  assert.deepEqual(await unlistedOf({ ...files, 'other.js': "import 'pg';" }), ['ws']);
});

test('types, what is loaded later, own paths and the package itself are none', async () => {
  const server = [
    "import type { Pool } from 'pg';",
    "import own from 'agent/own';",
    "import util from 'lib/util';",
    "import short from '@/short';",
    "import hash from '#hash';",
    "import { x } from 'bun:sqlite';",
    'async function later() {',
    "  const ws = require('ws');",
    '  await import(`redis`);',
    '}',
    "try { require('sharp') } catch {}",
  ].join('\n');
  assert.deepEqual(await unlistedOf({ 'server.js': server, 'src/lib/util.js': '' }), []);
});

test('what is listed for development alone counts unless it is installed', async () => {
  const files = { 'server.js': "import './lib.js';", 'lib.js': "import 'vitest';" };
  assert.deepEqual(await unlistedOf(files), ['vitest']);
  assert.deepEqual(await unlistedOf(files, { scripts: { start: 'node server.js', build: 'echo' } }), []);
});
