import { unquoted } from '../detect/line-parts.ts';
import { withoutLogin } from './without-login.ts';

/** Settings of npm that affect the source of packages. A user's other settings are not used in builds. */
const wanted =
  /^(registry|@[^:]+:registry|\/\/.+|proxy|https-proxy|http-proxy|noproxy|cafile|ca|strict-ssl|always-auth|fetch-(retries|timeout|retry-\w+)|maxsockets|_auth|_authToken|username|_password|email)$/;
const unscoped = /^(_auth|_authToken|username|_password|email|always-auth)$/;
const credential = /(^|:)(_auth|_authToken|_password|username|email|certfile|keyfile|cert|key)$/;

export interface NpmSettings {
  values: Map<string, string>;
}

/** Reads npmrc files (later files override) and npm_config_* variables, which override the files. */
export function readNpmSettings(files: string[], env: Record<string, string | undefined>): NpmSettings {
  const values = new Map<string, string>();
  for (const source of files) {
    for (const line of source.split(/\r?\n/)) {
      const equals = line.indexOf('=');
      const key = line.slice(0, Math.max(0, equals)).trim();
      if (!wanted.test(key)) continue;
      const value = unquoted(line.slice(equals + 1).trim());
      values.set(
        key,
        value.replace(/\$\{(\w+)\}/g, (_, name: string) => env[name] ?? ''),
      );
    }
  }
  for (const [name, value] of Object.entries(env)) {
    const key = /^npm_config_(.+)$/i.exec(name)?.[1];
    if (key === undefined || value === undefined || value === '') continue;
    const setting =
      key.startsWith('//') || key.startsWith('@')
        ? key
        : key
            .toLowerCase()
            .replaceAll('_', '-')
            .replace(/^-(?=auth)/, '_');
    if (wanted.test(setting)) values.set(setting, value);
  }
  return { values };
}

/**
 * The settings as an npmrc file, without credentials for steps that run a project's own code. A login that names no registry is written for
 * the machine's own registry: some clients would send it to any registry that an archive names.
 */
export function npmrcText({ values }: NpmSettings, withCredentials: boolean): string {
  const own = values
    .get('registry')
    ?.replace(/^https?:/, '')
    .replace(/\/?$/, '/');
  const lines = [...values]
    .filter(([name]) => own !== undefined || !unscoped.test(name))
    .map(([name, value]): [string, string] => [unscoped.test(name) ? `${own}:${name}` : name, value])
    .filter(([name]) => withCredentials || !credential.test(name))
    .map(([name, value]) => `${name}=${withCredentials ? value : withoutLogin(value)}\n`);
  return lines.join('');
}

/** Network settings of npm as variables. Variables override all files of archives, also of repositories that npm downloads itself. */
export function npmNetwork({ values }: NpmSettings): Record<string, string> {
  return {
    npm_config_strict_ssl: values.get('strict-ssl') ?? 'true',
    npm_config_proxy: values.get('proxy') ?? values.get('http-proxy') ?? 'null',
    npm_config_https_proxy: values.get('https-proxy') ?? 'null',
  };
}

export const hasNpmLogin = ({ values }: NpmSettings): boolean => [...values.keys()].some((name) => credential.test(name));

/** Whether the only settings are timeouts, numbers of connections and a certificate file that all of Node reads. */
export const isPublicNpm = ({ values }: NpmSettings): boolean =>
  [...values].every(([name, value]) => {
    if (name === 'registry') return /^https:\/\/registry\.npmjs\.org\/?$/.test(value);
    if (name === 'strict-ssl') return value === 'true';
    return /^(fetch-(retries|timeout|retry-\w+)|maxsockets|cafile)$/.test(name);
  });

export function npmSecrets({ values }: NpmSettings): string[] {
  return [...values].filter(([name]) => /(^|:)(_auth|_authToken|_password)$/.test(name)).map(([, value]) => value);
}
