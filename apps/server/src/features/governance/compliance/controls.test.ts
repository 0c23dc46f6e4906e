import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { controlIds, controls } from '@paddock/contract';
import type { ControlDeps } from './control-deps.ts';
import { implementedControls } from './controls.ts';

test('each control is in the table of controls once, with the scope that stands there', () => {
  const implemented = implementedControls({ dataDir: '/nowhere' } as ControlDeps);
  assert.deepEqual(implemented.map(({ id }) => id).sort(), [...controlIds].sort());
  for (const { id, of } of implemented) assert.equal(controls[id].scope, of, id);
});

test('each control is found in a file named by its id', () => {
  const files = readdirSync(`${import.meta.dirname}/controls`).filter((name) => !name.endsWith('.test.ts'));
  const withoutFile = controlIds.filter((id) => !files.some((name) => name.startsWith(`${id.toLowerCase()}-`)));
  assert.deepEqual(withoutFile, []);
});
