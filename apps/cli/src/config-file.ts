import { randomBytes } from 'node:crypto';
import { chmod, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { ToolError } from './failures.ts';

const Login = z.object({
  api_key: z.string(),
  key_id: z.string().optional(),
  email: z.string().optional(),
  /** Made by the browser login for this machine only, so that `logout` may revoke it. */
  is_own: z.boolean().optional(),
});
const Config = z.object({
  /** The server of the last login, which commands use by default. */
  current: z.string().optional(),
  servers: z.record(z.string(), Login).default({}),
  /** The project of a folder's last deployment, by server and folder. */
  projects: z.record(z.string(), z.record(z.string(), z.string())).default({}),
});
export type Config = z.infer<typeof Config>;
export type Login = z.infer<typeof Login>;

const maxFolders = 200;

/** `~/.config/paddock/config.json`, or in the folder XDG_CONFIG_HOME. */
export const configPath = (env: NodeJS.ProcessEnv) =>
  join(env['XDG_CONFIG_HOME'] || join(env['HOME'] || homedir(), '.config'), 'paddock', 'config.json');

export async function readConfig(path: string): Promise<Config> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { servers: {}, projects: {} };
    throw new ToolError('config_unreadable', `${path} cannot be read: ${(error as Error).message}`, { cause: error });
  }
  // A copied or edited file may have other permissions: others on this machine must not read the keys.
  const { mode } = await stat(path);
  if (mode & 0o077) await chmod(path, 0o600);
  try {
    return Config.parse(JSON.parse(text));
  } catch (error) {
    throw new ToolError('config_unreadable', `${path} is not a configuration of paddock. Mend or delete it, then log in again.`, {
      cause: error,
    });
  }
}

/** Reads, changes and writes the whole file: another process sees the old or the new file, never half of it. */
export async function changeConfig(path: string, change: (config: Config) => void) {
  const config = await readConfig(path);
  change(config);
  for (const [url, folders] of Object.entries(config.projects))
    config.projects[url] = Object.fromEntries(Object.entries(folders).slice(-maxFolders));
  const folder = dirname(path);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await chmod(folder, 0o700);
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    const file = await open(draft, 'wx', 0o600);
    try {
      await file.writeFile(`${JSON.stringify(config, null, 2)}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw new ToolError('config_unwritable', `${path} cannot be written: ${(error as Error).message}`, { cause: error });
  }
}
