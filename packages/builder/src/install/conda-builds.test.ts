import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openTree } from '../detect/source-tree.ts';
import { pythonDependencies } from '../python/dependencies.ts';
import { dropCondaPaths } from './conda-builds.ts';

const ofConda = [
  'anyio @ file:///home/conda/feedstock_root/build_artifacts/anyio_1688651106312/work/dist',
  'Bottleneck @ file:///Users/cbousseau/work/recipes/ci_py311/bottleneck_1677925122241/work',
  'certifi @ file:///croot/certifi_1700501669400/work/certifi',
  'numpy @ file:///C:/b/abs_16b2j7ad8n/croot/numpy_and_numpy_base_1704311752418/work/dist/numpy.whl#sha256=ab',
  'ptyprocess @ file:///tmp/build/80754af9/ptyprocess_1609355006118/work/dist/ptyprocess.whl',
];
const others = ['flask==3.0.0', 'own @ file:///home/ada/own', 'more @ file:./more', '# anyio @ file:///croot/anyio_1/work'];
const names = ['anyio', 'Bottleneck', 'certifi', 'numpy', 'ptyprocess'];

function folderWith(t: { after: (end: () => void) => void }, lines: string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'paddock-conda-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'more'));
  writeFileSync(join(folder, 'requirements.txt'), `${lines.join('\n')}\n`);
  return folder;
}

test('packages from folders of conda’s builders are installed by their names, and those of other folders are left as they are', async (t) => {
  const folder = folderWith(t, [...ofConda, ...others]);
  assert.deepEqual(await dropCondaPaths(folder, ['requirements.txt', 'absent.txt']), names);
  assert.deepEqual(readFileSync(join(folder, 'requirements.txt'), 'utf8').split('\n'), [...names, ...others, '']);
  assert.deepEqual(await dropCondaPaths(folder, ['requirements.txt']), []);
});

test('a list that was frozen in a conda environment needs no other files, unless it names a folder of somebody', async (t) => {
  const read = async (lines: string[]) => pythonDependencies(await openTree(folderWith(t, lines)), null);
  const frozen = await read([...ofConda, 'flask==3.0.0']);
  assert.deepEqual([frozen?.needsSource, frozen?.names.has('anyio'), frozen?.names.has('flask')], [false, true, true]);
  assert.equal((await read(others))?.needsSource, true);
});
