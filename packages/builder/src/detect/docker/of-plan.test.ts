import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planFiles } from '../../../test/plan-files.ts';

test('a step of the Dockerfile that is the build of the plan is not told as left out', async () => {
  const files = {
    'package.json': '{"name": "a", "scripts": {"build": "tsc", "start": "node dist/index.js"}}',
    'src/index.ts': '',
    Dockerfile: 'FROM node:24\nWORKDIR /app\nRUN npm run build\nRUN make lamp\nCMD ["node", "dist/index.js"]\n',
  };
  const told = (await planFiles(files)).warnings.find((one) => one.startsWith('Not run from the Dockerfile'));
  assert.match(told ?? '', /^Not run from the Dockerfile: make lamp \(line 4\)\./);
});
