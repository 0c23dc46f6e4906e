import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Plan } from '../plan.ts';
import { makePlan } from './make-plan.ts';
import type { Toolchains } from './toolchains.ts';

const agents = fileURLToPath(new URL('../../fixtures/agents/', import.meta.url));
const toolchains: Toolchains = {
  python: [{ version: '3.11.2', path: '/usr/bin/python3.11' }],
  pythonMinors: [],
  node: { version: '24.21.0', path: '/usr/bin/node' },
  nodeMajors: [18, 20, 22],
  system: { programs: ['git', 'curl', 'make', 'python3', 'bash'], libraries: ['libGL.so.1', 'libexpat.so.1'] },
};

// UPDATE_GOLDEN=1 rewrites the plans; the diff of the commit then shows what changed.
for (const rule of readdirSync(agents)) {
  test(`the plan of ${rule} is the one that was agreed`, async () => {
    const plan = await makePlan(join(agents, rule), {}, toolchains);
    const text = `${JSON.stringify(masked(plan), null, 2)}\n`;
    const golden = join(agents, rule, 'plan.golden.json');
    if (process.env.UPDATE_GOLDEN === '1') writeFileSync(golden, text);
    assert.deepEqual(JSON.parse(text), JSON.parse(readFileSync(golden, 'utf8')));
  });
}

/** Exact versions of the machine's languages are not part of the golden plans. */
function masked(plan: Plan): Plan {
  return JSON.parse(JSON.stringify(plan).replaceAll('3.11.2', '<python>').replaceAll('24.21.0', '<node>')) as Plan;
}
