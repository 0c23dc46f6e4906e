import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planFiles, planRefusal } from '../../test/plan-files.ts';

const modules =
  '[submodule "lamp"]\n\tpath = lamp\n\turl = https://made-up-user:made-up-pass@git.example.com/lamp.git\n[submodule "docs/site"]\n\tpath = docs/site\n';
const agent = {
  'requirements.txt': 'flask\n',
  'main.py': 'from flask import Flask\nfrom lamp.light import shine\napp = Flask(__name__)\n',
};

test('a git submodule that the start imports and the archive lacks is told before the build, and is no missing package', async () => {
  const told = await planRefusal({ ...agent, '.gitmodules': modules });
  assert.match(
    told,
    /^The archive lacks the git submodule “?"?lamp"?”?, which the start imports: its folder is empty\. Run “git submodule update/,
  );
  assert.doesNotMatch(told, /made-up/);
});

test('a submodule that nothing imports is a warning, and one with files nothing', async () => {
  const plan = await planFiles({ ...agent, '.gitmodules': modules, 'lamp/light.py': 'def shine():\n    pass\n' });
  assert.deepEqual(
    plan.warnings.filter((one) => one.includes('submodule')),
    [
      'The archive lacks the git submodule "docs/site". Run “git submodule update --init --recursive” in your copy and zip it again: archives that a host of git makes leave submodules out.',
    ],
  );
  const whole = await planFiles({ ...agent, '.gitmodules': modules, 'lamp/light.py': '', 'docs/site/index.md': '' });
  assert.deepEqual(
    whole.warnings.filter((one) => one.includes('submodule')),
    [],
  );
});
