import { unquoted } from '../detect/line-parts.ts';
import { withoutLogin } from './without-login.ts';

/** Settings of npm that say where packages come from; all others are a person's own and stay out of builds. */
const wanted =
  /^(registry|@[^:]+:registry|\/\/.+|proxy|https-proxy|http-proxy|noproxy|cafile|ca|strict-ssl|always-auth|fetch-(retries|timeout|retry-\w+)|maxsockets|_auth|_authToken|username|_password|email)$/;
const credential = /(^|:)(_auth|_authToken|_password|username|email|certfile|keyfile|cert|key)$/;

export interface NpmSettings {
  values: Map<string, string>;
}

/** Reads npmrc files (later ones win) and npm_config_* variables over them. */
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

/** The settings as an npmrc file; without credentials for steps that run a project's own code. */
export function npmrcText({ values }: NpmSettings, withCredentials: boolean): string {
  const lines = [...values]
    .filter(([name]) => withCredentials || !credential.test(name))
    .map(([name, value]) => `${name}=${withCredentials ? value : withoutLogin(value)}\n`);
  return lines.join('');
}

export function npmSecrets({ values }: NpmSettings): string[] {
  return [...values].filter(([name]) => /(^|:)(_auth|_authToken|_password)$/.test(name)).map(([, value]) => value);
}
