import { configPath, readConfig } from './config-file.ts';
import { exitCodes, ToolError, usage } from './failures.ts';
import { type Api, apiOf } from './send.ts';
import type { Terminal } from './terminal.ts';

/** The surroundings of every command. */
export interface Context {
  terminal: Terminal;
  env: NodeJS.ProcessEnv;
  cwd: string;
  stdin: NodeJS.ReadStream;
  version: string;
  /** Aborts with Ctrl-C. */
  signal: AbortSignal;
  configFile: string;
  /** The server that commands use: --url, PADDOCK_URL, the last login, or the one on this machine. */
  url(): Promise<string>;
  /** The server with its key; throws if there is no key. */
  server(): Promise<Server>;
  /** The API without a key, or with another token. */
  api(token?: string): Promise<Api>;
}

export interface Server {
  url: string;
  key: string;
  /** The origin of the key. */
  source: 'environment' | 'config';
  api: Api;
}

export const defaultUrl = 'http://localhost:4000';
export const demoKeyPrefix = 'pk_demo_';

type ContextInput = Pick<Context, 'terminal' | 'env' | 'cwd' | 'stdin' | 'version' | 'signal'> & { givenUrl: string | undefined };

export function openContext({ givenUrl, ...parts }: ContextInput): Context {
  const { env, version, signal, terminal } = parts;
  const configFile = configPath(env);
  let warned = false;
  const url = async () => {
    if (givenUrl !== undefined) return serverUrl(givenUrl, '--url');
    if (env['PADDOCK_URL']) return serverUrl(env['PADDOCK_URL'], 'PADDOCK_URL');
    return (await readConfig(configFile)).current ?? defaultUrl;
  };
  return {
    ...parts,
    configFile,
    url,
    async server() {
      const origin = await url();
      const given = env['PADDOCK_API_KEY']?.trim();
      if (given && !/^[\w.~+/-]{1,512}$/.test(given)) throw usage('PADDOCK_API_KEY is no API key.');
      const key = given || (await readConfig(configFile)).servers[origin]?.api_key;
      if (!key) {
        throw new ToolError('not_signed_in', `You are not logged in to ${origin}. Run: paddock login --url ${origin}`, {
          exit: exitCodes.forbidden,
        });
      }
      refuseDemoKey(key);
      if (!isSafe(origin) && !warned) {
        warned = true;
        terminal.note(terminal.notePaint.yellow(`The connection to ${origin} is not encrypted: others on the way can read your key.`));
      }
      return { url: origin, key, source: given ? 'environment' : 'config', api: apiOf(origin, { token: key, version, signal }) };
    },
    api: async (token) => apiOf(await url(), { token, version, signal }),
  };
}

/** The origin of a server's typed address; throws if the address has further parts. */
export function serverUrl(typed: string, where: string): string {
  const text = /^https?:\/\//i.test(typed) ? typed : `${/^(localhost|127\.|\[::1\])/.test(typed) ? 'http' : 'https'}://${typed}`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || url.username || url.password || url.search || url.hash || url.pathname !== '/')
    throw usage(`${where} must be the address of a Paddock server, such as ${defaultUrl}.`);
  return url.origin;
}

export function refuseDemoKey(key: string) {
  if (key.startsWith(demoKeyPrefix))
    throw new ToolError('demo_key', 'This is a demo key. Demo keys work nowhere: sign up on a real server and log in there.', {
      exit: exitCodes.forbidden,
    });
}

const isSafe = (origin: string) => /^https:|^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(origin);
