import { ApiError } from '@paddock/contract/errors';
import type { Command } from 'commander';
import { changeConfig, readConfig } from '../config-file.ts';
import type { Context } from '../context.ts';
import { examples } from '../examples.ts';
import type { Run } from '../run.ts';
import { apiOf } from '../send.ts';

interface Options {
  revoke?: boolean;
  local?: boolean;
}

export function logoutCommand(program: Command, run: Run) {
  program
    .command('logout')
    .description('Revoke the key of this machine and forget it.')
    .option('--revoke', 'also revoke a key that was given with --api-key and may be in use elsewhere')
    .option('--local', 'forget the key without contacting the server')
    .addHelpText('after', examples([['paddock logout', 'end the login of this machine']]))
    .action((options: Options, command: Command) => run(command, (context) => logout(context, options)));
}

async function logout(context: Context, { revoke = false, local = false }: Options) {
  const { terminal } = context;
  const url = await context.url();
  const known = (await readConfig(context.configFile)).servers[url];
  const revoked =
    known?.key_id !== undefined && !local && (known.is_own === true || revoke)
      ? await revokeKey(context, url, { key: known.api_key, id: known.key_id })
      : false;
  if (known) {
    await changeConfig(context.configFile, (config) => {
      delete config.servers[url];
    });
  }
  const kept = known && !revoked && !local ? ' The key itself goes on working: "paddock logout --revoke" would have revoked it.' : '';
  terminal.result(
    { url, was_logged_in: known !== undefined, revoked },
    known ? `Logged out of ${url}.${kept}` : `You were not logged in to ${url}.`,
  );
  if (context.env['PADDOCK_API_KEY']) terminal.note('PADDOCK_API_KEY is set and goes on being used.');
}

async function revokeKey({ version, signal }: Context, url: string, { key, id }: { key: string; id: string }): Promise<boolean> {
  try {
    await apiOf(url, { token: key, version, signal }).apiKeys.revoke({ id });
    return true;
  } catch (error) {
    // The key was revoked before, or it has expired.
    if (error instanceof ApiError && (error.status === 401 || error.status === 404)) return true;
    throw error;
  }
}
