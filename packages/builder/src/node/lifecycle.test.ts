import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planFiles } from '../../test/plan-files.ts';

const plan = async (start: string, dev: Record<string, string>) => {
  const pkg = { scripts: { start }, dependencies: { 'ts-node': '10', typescript: '5', bell: '1' }, devDependencies: dev };
  return (
    await planFiles({ 'package.json': JSON.stringify(pkg), 'src/index.ts': "import bell from 'bell';\nbell.listen(process.env.PORT);\n" })
  ).install?.dev;
};

test('a start that checks types installs those that are listed for development, and one that does not check leaves them out', async () => {
  const types = { '@types/bell': '1' };
  for (const start of ['ts-node src/index.ts', 'node -r ts-node/register src/index.ts'])
    assert.equal(await plan(start, types), true, start);
  for (const start of [
    'ts-node --transpile-only src/index.ts',
    'ts-node -T src/index.ts',
    'node -r ts-node/register/transpile-only src/index.ts',
  ])
    assert.equal(await plan(start, types), false, start);
  assert.equal(await plan('ts-node src/index.ts', { jest: '30' }), false, 'nothing that it would check');
});
