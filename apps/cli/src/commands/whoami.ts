import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { examples } from '../examples.ts';
import type { Run } from '../run.ts';
import { clean } from '../terminal.ts';

export function whoamiCommand(program: Command, run: Run) {
  program
    .command('whoami')
    .description('Show who is logged in, to which server, and what the key may do.')
    .addHelpText('after', examples([['paddock whoami --json', 'for a script that checks its key']]))
    .action((_options: object, command: Command) => run(command, whoami));
}

async function whoami(context: Context) {
  const server = await context.server();
  const { user, scopes, key_info, expires_at, rate_limit } = await server.api.apiKeys.validate();
  const rows = [
    `${user.name} (${user.email})`,
    `Server   ${server.url}`,
    `Key      ${key_info ? `${key_info.name}, ${key_info.key_prefix}…` : 'a session'}${server.source === 'environment' ? ', from PADDOCK_API_KEY' : ''}`,
    `Scopes   ${scopes.join(', ')}`,
    `Expires  ${expires_at ?? 'never'}`,
    ...(rate_limit === null ? [] : [`Limit    ${rate_limit} requests a minute`]),
  ];
  context.terminal.result({ url: server.url, user, scopes, rate_limit, expires_at, key: key_info }, clean(rows.join('\n')));
}
