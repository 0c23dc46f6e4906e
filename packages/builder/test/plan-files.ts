import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after } from 'node:test';
import { BuildError } from '../src/build-error.ts';
import { makePlan } from '../src/detect/make-plan.ts';
import type { PlanSettings } from '../src/detect/settings.ts';

const home = mkdtempSync(join(tmpdir(), 'paddock-plan-files-'));
after(() => rmSync(home, { recursive: true, force: true }));
const toolchains = {
  python: [{ version: '3.11.2', path: '' }],
  pythonMinors: [],
  node: { version: '24.21.0', path: '' },
  nodeMajors: [22],
};
let count = 0;

/** The plan of an archive with these files. */
export function planFiles(files: Record<string, string>, settings: PlanSettings = {}) {
  const dir = join(home, `agent-${count++}`);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, name)), { recursive: true });
    writeFileSync(join(dir, name), content);
  }
  return makePlan(dir, settings, toolchains);
}

/** The message and hint with which such an archive is refused. */
export const planRefusal = (files: Record<string, string>, settings?: PlanSettings): Promise<string> =>
  planFiles(files, settings).then(
    () => assert.fail('a plan was made'),
    (error: unknown) => (error instanceof BuildError ? `${error.message} ${error.hint}` : assert.fail(String(error))),
  );
