import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { openHostRegistry, type RegistryAccess } from './host-registry.ts';
import { readPipSettings } from './pip-settings.ts';
import { redactor } from './redact.ts';

const home = mkdtempSync(join(tmpdir(), 'paddock-registry-'));
after(() => rmSync(home, { recursive: true, force: true }));

/** The content of a file as a step would see it. */
function seen(access: RegistryAccess, path: string): string {
  const mount = access.mounts.find((m) => path.startsWith(`${m.at}/`));
  assert.ok(mount, `${path} is mounted`);
  return readFileSync(mount.from + path.slice(mount.at.length), 'utf8');
}

const wheels = join(home, 'wheels');
mkdirSync(wheels);
writeFileSync(join(home, 'ca.pem'), 'CERTIFICATE');
writeFileSync(
  join(home, '.npmrc'),
  '; a comment\nregistry=https://npm.mirror.test:8443/npm/\n//npm.mirror.test:8443/npm/:_authToken=${TOKEN}\nprefix=/home/somebody\nignore-scripts=true\n@team:registry = "https://own.test/"\n',
);
mkdirSync(join(home, '.config/uv'), { recursive: true });
mkdirSync(join(home, '.config/pip'), { recursive: true });
writeFileSync(
  join(home, '.config/pip/pip.conf'),
  '[global]\nindex-url = https://bot:CANARY_pip@pypi.mirror.test/simple\n[install]\ntrusted-host =\n    pypi.mirror.test\n    other.test\n',
);
const env = {
  TOKEN: 'CANARY_npm_token',
  HTTPS_PROXY: 'http://me:CANARY_proxy@proxy.test:3128',
  NO_PROXY: 'localhost',
  NODE_EXTRA_CA_CERTS: join(home, 'ca.pem'),
  PIP_CERT: join(home, 'ca.pem'),
  PIP_FIND_LINKS: `${wheels} https://links.test/x`,
  DATABASE_URL: 'postgres://CANARY_platform',
};

test('the host’s registries, logins, proxies and certificates reach install steps', async () => {
  const registry = await openHostRegistry(join(home, 'data'), env, home);
  const { install } = registry;
  const npmrc = seen(install, install.env.npm_config_userconfig ?? '');
  assert.match(npmrc, /^registry=https:\/\/npm\.mirror\.test:8443\/npm\/$/m);
  assert.match(npmrc, /:_authToken=CANARY_npm_token$/m);
  assert.match(npmrc, /^@team:registry=https:\/\/own\.test\/$/m);
  assert.doesNotMatch(npmrc, /prefix|ignore-scripts/, 'a person’s own settings stay out');
  assert.equal(install.env.UV_DEFAULT_INDEX, 'https://bot:CANARY_pip@pypi.mirror.test/simple');
  assert.equal(install.env.PIP_TRUSTED_HOST, 'pypi.mirror.test other.test');
  assert.equal(install.env.HTTPS_PROXY, env.HTTPS_PROXY);
  assert.equal(seen(install, install.env.NODE_EXTRA_CA_CERTS ?? ''), 'CERTIFICATE');
  assert.equal(seen(install, install.env.SSL_CERT_FILE ?? ''), 'CERTIFICATE', 'uv gets pip’s certificate');
  assert.ok(install.mounts.some((m) => m.from === wheels && m.at === wheels && !m.writable));
  const hosts = registry.endpoints.map((e) => `${e.host}:${e.port}`);
  for (const host of ['npm.mirror.test:8443', 'own.test:443', 'pypi.mirror.test:443', 'proxy.test:3128', 'links.test:443'])
    assert.ok(hosts.includes(host), host);
  assert.ok(!JSON.stringify(registry).includes('CANARY_platform'));
  await registry.close();
  assert.ok(!existsSync(install.mounts[0]?.from ?? ''), 'nothing stays behind');
});

test('steps that run a project’s own code get the addresses without any login', async () => {
  const registry = await openHostRegistry(join(home, 'data'), env, home);
  const text = JSON.stringify(registry.build.env) + seen(registry.build, registry.build.env.npm_config_userconfig ?? '');
  assert.doesNotMatch(text, /CANARY/);
  assert.match(text, /npm\.mirror\.test/);
  assert.equal(registry.build.env.HTTPS_PROXY, 'http://proxy.test:3128');
  await registry.close();
});

test('every login is kept out of lines', async () => {
  const registry = await openHostRegistry(join(home, 'data'), env, home);
  const redact = redactor(registry.secrets);
  for (const secret of ['CANARY_pip', 'CANARY_npm_token', 'CANARY_proxy'])
    assert.doesNotMatch(redact(`error ${secret} at https://x:${secret}@host/`), /CANARY/);
  assert.equal(redact('fetch https://u:p@host/a failed'), 'fetch https://host/a failed');
  await registry.close();
});

test('logins of uv for a named index reach installs only, and their passwords are kept out of lines', async () => {
  const own = { UV_INDEX_OWN_USERNAME: 'CANARY_user', UV_INDEX_OWN_PASSWORD: 'CANARY_password' };
  const named = { ...env, ...own, UV_INDEX_OTHER_USERNAME: 'CANARY_token' };
  const registry = await openHostRegistry(join(home, 'data'), named, home);
  assert.equal(registry.install.env.UV_INDEX_OWN_PASSWORD, 'CANARY_password');
  assert.equal(registry.install.env.UV_INDEX_OWN_USERNAME, 'CANARY_user');
  assert.doesNotMatch(JSON.stringify(registry.build.env), /CANARY/);
  assert.doesNotMatch(redactor(registry.secrets)('error CANARY_password CANARY_token'), /CANARY/, 'a name alone is a token');
  await registry.close();
});

test('pip.conf is read as pip does: later files and then variables win', () => {
  const files = [
    '[global]\nindex-url = https://one.test\nextra-index-url = https://a.test\n  https://b.test\n',
    '[install]\nindex_url: https://two.test\n[list]\nindex-url = https://no.test\n',
  ];
  assert.equal(readPipSettings(files, {}).indexUrl, 'https://two.test');
  assert.deepEqual(readPipSettings(files, {}).extraIndexUrls, ['https://a.test', 'https://b.test']);
  assert.equal(readPipSettings(files, { PIP_INDEX_URL: 'https://three.test' }).indexUrl, 'https://three.test');
});
