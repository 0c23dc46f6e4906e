import { randomUUID } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { chmod, copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import type { Mount } from '../step.ts';
import { hasNpmLogin, isPublicNpm, type NpmSettings, npmNetwork, npmrcText, npmSecrets, readNpmSettings } from './npmrc.ts';
import { type PipSettings, readPipSettings } from './pip-settings.ts';
import { findLogins, withoutLogin } from './without-login.ts';

/** Variables and mounts with which package clients in a step reach the same registries as the host's own clients. */
export interface RegistryAccess {
  env: Record<string, string>;
  mounts: Mount[];
}

export interface HostRegistry {
  /** For steps that only download and install: with the host's logins. */
  install: RegistryAccess;
  /** For steps that run a project's own code: the same addresses, proxies and certificates, without logins. */
  build: RegistryAccess;
  endpoints: { host: string; port: number }[];
  /** Whether `install` has any login or client certificate. */
  hasLogins: boolean;
  /** npm's packages come from the public registry with the defaults of any Node program: no other address, login or proxy is set. */
  isPublic: boolean;
  /** Variables for npm in the steps with logins. No file of an archive may change these settings. */
  npmNetwork: Record<string, string>;
  /** All logins that were found, to be masked in logs. */
  secrets: string[];
  close: () => Promise<void>;
}

/** Logins of an index that a project names. uv reads them from no other place. */
const uvLogin = /^UV_INDEX_.+_(USERNAME|PASSWORD)$/;
type Env = Record<string, string | undefined>;

/** The settings of the host's package clients. */
interface Settings {
  env: Env;
  npm: NpmSettings;
  pip: PipSettings;
}

const place = '/opt/paddock/registry';
const caNames = ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'REQUESTS_CA_BUNDLE', 'CURL_CA_BUNDLE', 'PIP_CERT', 'GIT_SSL_CAINFO'];
const proxyNames = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'all_proxy'];

/**
 * Reads the host's own settings of npm, pip and uv, its proxies and certificates. The files that steps see are copies in a folder of
 * `dataDir`, which `close` removes. Agents never get any of it.
 */
export async function openHostRegistry(dataDir: string, env: Env = process.env, home = homedir()): Promise<HostRegistry> {
  await mkdir(join(dataDir, 'tmp'), { recursive: true, mode: 0o711 });
  // Steps run under other users, so all users can read the files. Nobody can list the parent folder, so only the steps can find them.
  const folder = join(dataDir, 'tmp', `registry-${randomUUID()}`);
  for (const kind of ['install', 'build']) await mkdir(join(folder, kind, 'uv'), { recursive: true, mode: 0o755 });
  try {
    const npm = readNpmSettings(await texts(npmFiles(env, home)), env);
    const pip = readPipSettings(await texts(pipFiles(env, home)), env);
    const [uv = ''] = await texts(uvFiles(env, home));
    const ca = await copyCertificates(folder, { env, npm, pip });
    const variables = { ...caVariables(ca, { env, npm, pip }), ...proxyVariables(env, pip), ...pythonVariables(env, pip) };
    const logins = uvLogins(env);
    const links = findLinks(env, pip).filter((path) => isAbsolute(path) && existsSync(path) && statSync(path).isDirectory());
    const npmValues = new Map([...npm.values].map(([name, value]) => [name, name === 'cafile' ? (ca.get(value) ?? value) : value]));
    const access = async (kind: 'install' | 'build'): Promise<RegistryAccess> => {
      const clean = kind === 'install' ? (text: string) => text : withoutLogin;
      await writeFile(join(folder, kind, 'npmrc'), npmrcText({ values: npmValues }, kind === 'install'), { mode: 0o644 });
      await writeFile(join(folder, kind, 'uv', 'uv.toml'), clean(uv), { mode: 0o644 });
      const own = Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, clean(value)]));
      if (kind === 'install') Object.assign(own, logins);
      own.npm_config_userconfig = `${place}/npmrc`;
      if (uv !== '') own.XDG_CONFIG_HOME = place;
      if (pip.noIndex) Object.assign(own, { PIP_NO_INDEX: '1', UV_NO_INDEX: '1' });
      const mounts: Mount[] = [{ from: join(folder, kind), at: place }];
      if (ca.size > 0) mounts.push({ from: join(folder, 'ca'), at: `${place}-ca` });
      for (const path of links) mounts.push({ from: path, at: path });
      return { env: own, mounts };
    };
    const addresses = [...npm.values.values(), ...Object.values(variables), uv].join(' ');
    return {
      install: await access('install'),
      build: await access('build'),
      endpoints: endpointsIn(addresses),
      hasLogins: hasNpmLogin(npm) || loginsIn(addresses).length > 0 || Object.keys(logins).length > 0,
      isPublic: Object.keys(proxyVariables(env, pip)).length === 0 && isPublicNpm(npm),
      npmNetwork: npmNetwork(npm),
      secrets: [...npmSecrets(npm), ...loginsIn(addresses), ...listPasswords(logins)].filter((s) => s.length >= 4),
      close: () => rm(folder, { recursive: true, force: true }),
    };
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

function npmFiles(env: Env, home: string): string[] {
  const global = env.npm_config_globalconfig ?? env.NPM_CONFIG_GLOBALCONFIG;
  const prefix = join(process.execPath, '..', '..', 'etc', 'npmrc');
  return ['/etc/npmrc', prefix, global ?? '', env.npm_config_userconfig ?? env.NPM_CONFIG_USERCONFIG ?? join(home, '.npmrc')];
}

function pipFiles(env: Env, home: string): string[] {
  if (env.PIP_CONFIG_FILE === '/dev/null') return [];
  return [
    '/etc/xdg/pip/pip.conf',
    '/etc/pip.conf',
    join(home, '.pip/pip.conf'),
    join(env.XDG_CONFIG_HOME ?? join(home, '.config'), 'pip/pip.conf'),
    env.PIP_CONFIG_FILE ?? '',
  ];
}

/** Candidates for uv's settings; the first file that exists counts. */
function uvFiles(env: Env, home: string): string[] {
  return [env.UV_CONFIG_FILE ?? '', '/etc/uv/uv.toml', join(env.XDG_CONFIG_HOME ?? join(home, '.config'), 'uv/uv.toml')];
}

async function texts(paths: string[]): Promise<string[]> {
  const present = paths.filter((path) => path !== '' && existsSync(path));
  return Promise.all(present.map((path) => readFile(path, 'utf8')));
}

/** Copies the certificate files that any setting names. Returns for each file its path inside a step. */
async function copyCertificates(folder: string, { env, npm, pip }: Settings): Promise<Map<string, string>> {
  const paths = new Set(
    [...caNames.map((name) => env[name]), npm.values.get('cafile'), pip.cert].filter(
      (p): p is string => p !== undefined && p !== '' && existsSync(p) && statSync(p).isFile(),
    ),
  );
  const seen = new Map<string, string>();
  if (paths.size > 0) await mkdir(join(folder, 'ca'), { mode: 0o755 });
  for (const path of paths) {
    const name = `${seen.size}.pem`;
    await copyFile(path, join(folder, 'ca', name));
    await chmod(join(folder, 'ca', name), 0o644);
    seen.set(path, `${place}-ca/${name}`);
  }
  return seen;
}

function caVariables(ca: Map<string, string>, { env, npm, pip }: Settings): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of caNames) {
    const inside = ca.get(env[name] ?? '');
    if (inside !== undefined) found[name] = inside;
  }
  const forPip = ca.get(pip.cert ?? '');
  const forNode = ca.get(npm.values.get('cafile') ?? '');
  if (forPip !== undefined) found.PIP_CERT ??= forPip;
  // uv reads only SSL_CERT_FILE, and Node only NODE_EXTRA_CA_CERTS.
  if (found.PIP_CERT !== undefined) found.SSL_CERT_FILE ??= found.PIP_CERT;
  if (forNode !== undefined) found.NODE_EXTRA_CA_CERTS ??= forNode;
  return found;
}

function proxyVariables(env: Env, pip: PipSettings): Record<string, string> {
  const names = [...proxyNames, 'NO_PROXY', 'no_proxy'].filter((name) => env[name] !== undefined && env[name] !== '');
  const found = Object.fromEntries(names.map((name) => [name, env[name] ?? '']));
  if (pip.proxy !== undefined) found.HTTPS_PROXY ??= pip.proxy;
  return found;
}

function findLinks(env: Env, pip: PipSettings): string[] {
  return [...new Set([...pip.findLinks, ...(env.UV_FIND_LINKS ?? '').split(/[\s,]+/)])].filter((v) => v !== '');
}

/** pip's settings under uv's names too: uv reads neither pip.conf nor PIP_*. */
function pythonVariables(env: Env, pip: PipSettings): Record<string, string> {
  const links = findLinks(env, pip);
  const all: Record<string, string | undefined> = {
    PIP_INDEX_URL: pip.indexUrl,
    UV_DEFAULT_INDEX: env.UV_DEFAULT_INDEX ?? env.UV_INDEX_URL ?? pip.indexUrl,
    PIP_EXTRA_INDEX_URL: pip.extraIndexUrls.join(' '),
    UV_INDEX: env.UV_INDEX ?? env.UV_EXTRA_INDEX_URL ?? pip.extraIndexUrls.join(' '),
    PIP_TRUSTED_HOST: pip.trustedHosts.join(' '),
    UV_INSECURE_HOST: env.UV_INSECURE_HOST ?? pip.trustedHosts.join(' '),
    PIP_FIND_LINKS: links.join(' '),
    UV_FIND_LINKS: links.join(','),
    PIP_DEFAULT_TIMEOUT: env.PIP_DEFAULT_TIMEOUT,
    UV_HTTP_TIMEOUT: env.UV_HTTP_TIMEOUT ?? env.PIP_DEFAULT_TIMEOUT,
    UV_INDEX_STRATEGY: env.UV_INDEX_STRATEGY,
    UV_SYSTEM_CERTS: env.UV_SYSTEM_CERTS,
    UV_NATIVE_TLS: env.UV_NATIVE_TLS,
  };
  return withoutEmpty(all);
}

function uvLogins(env: Env): Record<string, string> {
  return withoutEmpty(Object.fromEntries(Object.entries(env).filter(([name]) => uvLogin.test(name))));
}

/** Some registries use a token as the user name, without a password. */
function listPasswords(logins: Record<string, string>): string[] {
  const isPassword = (name: string) => name.endsWith('_PASSWORD') || logins[name.replace(/_USERNAME$/, '_PASSWORD')] === undefined;
  return Object.entries(logins).flatMap(([name, value]) => (isPassword(name) ? [value] : []));
}

function withoutEmpty(all: Env): Record<string, string> {
  return Object.fromEntries(Object.entries(all).filter((e): e is [string, string] => e[1] !== undefined && e[1] !== ''));
}

const addressPattern = /\b(https?|socks5h?):\/\/(?:[^/@\s"']*@)?(\[[0-9a-fA-F:]+\]|[\w.-]+)(?::(\d+))?/g;

const webPorts: Record<string, number> = { http: 80, https: 443 };
const socksPort = 1080;

function endpointsIn(text: string): { host: string; port: number }[] {
  const found = new Map<string, { host: string; port: number }>();
  for (const [, scheme, host = '', port] of text.matchAll(addressPattern)) {
    const number = port === undefined ? (webPorts[scheme ?? ''] ?? socksPort) : Number(port);
    found.set(`${host}:${number}`, { host, port: number });
  }
  return [...found.values()];
}

function loginsIn(text: string): string[] {
  return findLogins(text).flatMap((login) => {
    const password = login.includes(':') ? login.slice(login.indexOf(':') + 1) : login;
    return [password, safeDecode(password)];
  });
}

function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // The text has a stray percent sign, so the password is the text as written.
    return text;
  }
}
