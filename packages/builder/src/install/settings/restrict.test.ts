import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse as parseToml } from 'smol-toml';
import { parse as parseYaml } from 'yaml';
import { findRestriction } from './restrict.ts';

function restrict(manager: string, name: string, text: string) {
  const restriction = findRestriction(manager, name);
  assert.ok(restriction, `${name} is a file of ${manager}`);
  return restriction(text);
}

test('what npm may be told stays as it was, and all else goes with its name', () => {
  const honest = 'legacy-peer-deps=true\n; why\n@team:registry = "https://npm.team.test/"\npublic-hoist-pattern[]=*types*\nengine-strict\n';
  assert.equal(restrict('npm', '.npmrc', honest), null);
  const found = restrict(
    'npm',
    '.npmrc',
    `${honest}git=./x\r\n"cafile"=/x\nsave-exact=\${HOME}\nfund="\\u0024{HOME}"\n[section]\nfund=false\n`,
  );
  assert.deepEqual(found?.dropped, ['git', '"cafile"', 'save-exact', 'fund', '[section]', 'fund=false']);
  assert.match(
    found?.text ?? '',
    /^legacy-peer-deps=true\n@team:registry=https:\/\/npm\.team\.test\/\npublic-hoist-pattern\[\]=\*types\*\nengine-strict=true\n$/,
  );
});

test('programs that a package client would run are left out, whatever they are called', () => {
  assert.equal(restrict('pnpm', '.pnpmfile.cjs', 'module.exports = {}')?.text, '');
  assert.deepEqual(restrict('yarn', '.yarnrc', 'yarn-path "./x.cjs"\nnetwork-timeout 60000\n'), {
    text: '"network-timeout" "60000"\n',
    dropped: ['yarn-path'],
  });
  const berry = restrict(
    'yarn-berry',
    '.yarnrc.yml',
    'nodeLinker: node-modules\nyarnPath: x.cjs\nplugins: [x.cjs]\nnpmScopes: {a: {npmRegistryServer: "https://a.test", npmAuthToken: "${X}"}}\n',
  );
  assert.deepEqual(berry?.dropped, ['yarnPath', 'plugins', 'npmScopes.a.npmAuthToken']);
  assert.deepEqual(parseYaml(berry?.text ?? ''), { nodeLinker: 'node-modules', npmScopes: { a: { npmRegistryServer: 'https://a.test' } } });
  const bun = restrict('bun', 'bunfig.toml', 'preload = ["x"]\n[install]\nexact = true\n[install.security]\nscanner = "x"\n');
  assert.deepEqual(bun?.dropped, ['preload', 'install.security']);
});

test('of pyproject.toml only what uv is told is looked at, and indexes of the project stay', () => {
  const project =
    '[project]\nname = "a"\nversion = "1"\n[tool.ruff]\ncache-dir = "x"\n[tool.uv]\ndev-dependencies = ["x"]\n[[tool.uv.index]]\nname = "own"\nurl = "https://own.test/simple"\nexplicit = true\n[tool.uv.sources]\nx = { index = "own" }\n';
  assert.equal(restrict('uv', 'pyproject.toml', project), null);
  const found = restrict('uv', 'pyproject.toml', `${project}[tool.uv.pip]\nkeyring-provider = "subprocess"\n`);
  assert.deepEqual(found?.dropped, ['pip.keyring-provider']);
  assert.deepEqual({ ...(parseToml(found?.text ?? '') as { project: object }).project }, { name: 'a', version: '1' });
  assert.deepEqual(restrict('uv', 'uv.toml', 'keyring-provider = "subprocess"\nallow-insecure-host = ["x"]\n')?.dropped, [
    'keyring-provider',
    'allow-insecure-host',
  ]);
});

test('what cannot be read is left out as a whole', () => {
  assert.deepEqual(restrict('pnpm', 'pnpm-workspace.yaml', 'a: [')?.text, '');
  assert.deepEqual(restrict('yarn-berry', '.yarnrc.yml', '- a list')?.dropped.length, 1);
});

test('settings in YAML that take long to read, or are long themselves, are left out as a whole, and why is told', () => {
  const anchors = Array.from({ length: 90 }, (_, n) => `  a${n}: &a${n} {}\n`).join('');
  const aliases = Array.from({ length: 1000 }, (_, n) => `  b${n}: *a${n % 90}\n`).join('');
  for (const [manager, name, key] of [
    ['pnpm', 'pnpm-workspace.yaml', 'packageExtensions'],
    ['yarn-berry', '.yarnrc.yml', 'packageExtensions'],
  ] as const) {
    const hostile = restrict(manager, name, `${key}:\n${anchors}${aliases}`);
    assert.deepEqual(hostile, { text: '', dropped: ['all of it, since it uses aliases'] });
    assert.equal(restrict(manager, name, `${key}:\n${anchors}`), null);
    const long = restrict(manager, name, `${key}:\n${'  a: 1\n'.repeat(3000)}`);
    assert.deepEqual(long, { text: '', dropped: ['all of it, since it is longer than 16 kB'] });
  }
});

test('a file that can be read and not be written again is left out as a whole', () => {
  const deep = `${'a.'.repeat(8000)}a = 1\n[tool.uv]\nkeyring-provider = "subprocess"\n`;
  assert.deepEqual(restrict('uv', 'pyproject.toml', deep), { text: '', dropped: ['all of it, since it cannot be read'] });
});
