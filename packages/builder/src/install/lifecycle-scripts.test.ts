// Scripts that a project's own package.json runs when it is installed, with the real clients.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { sized } from '../../../../scripts/test/size.ts';
import { openBuilds } from '../../test/build-files.ts';

const { buildFiles } = await openBuilds();

const pinned = {
  npm: {},
  pnpm: { packageManager: 'pnpm@10.34.8' },
  yarn: { packageManager: 'yarn@1.22.22' },
  bun: { packageManager: 'bun@1.4.5' },
};
const managers = sized<(keyof typeof pinned)[]>({ short: ['npm', 'pnpm'], long: ['npm', 'pnpm', 'yarn', 'bun'] });

for (const manager of managers)
  test(`a project of ${manager} whose prepare script needs a development dependency gets it, and hooks of git fail nothing`, async () => {
    const own = { name: 'a', version: '1.0.0', ...pinned[manager] };
    const maker = await buildFiles({
      'maker/package.json': '{"name": "maker", "version": "1.0.0", "bin": "maker.js"}',
      'maker/maker.js': "#!/usr/bin/env node\nrequire('node:fs').writeFileSync('made.txt', 'made');\n",
      'index.js': '',
      'package.json': JSON.stringify({
        ...own,
        scripts: { prepare: 'husky && maker' },
        devDependencies: { maker: 'file:./maker', husky: '9.1.7' },
      }),
    });
    assert.equal(readFileSync(join(maker.app_dir, 'made.txt'), 'utf8'), 'made');

    const hooks = { ...own, scripts: { prepare: 'husky' }, devDependencies: { husky: '9.1.7' }, dependencies: { ms: '2.1.3' } };
    const { plan } = await buildFiles({ 'package.json': JSON.stringify(hooks), 'index.js': '' });
    assert.equal(plan.install?.dev, false, 'hooks are no reason for development dependencies');
  });

test('a build that runs its manager by npx gets the one of the project', async () => {
  const own = {
    name: 'a',
    version: '1.0.0',
    packageManager: 'pnpm@10.34.8',
    scripts: { build: 'npx pnpm --version > version.txt', start: 'node index.js' },
    dependencies: { maker: 'file:./maker' },
  };
  const { app_dir } = await buildFiles({
    'package.json': JSON.stringify(own),
    'maker/package.json': '{"name": "maker", "version": "1.0.0"}',
    'index.js': '',
  });
  assert.equal(readFileSync(join(app_dir, 'version.txt'), 'utf8').trim(), '10.34.8');
});
