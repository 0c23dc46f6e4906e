import { type ApiKey, scopes as allScopes, type CreatedKey, type Scope } from '@paddock/contract';
import type { Command } from 'commander';
import { changeConfig } from '../config-file.ts';
import type { Context, Server } from '../context.ts';
import { examples } from '../examples.ts';
import { exitCodes, notFound, toExitCode, usage } from '../failures.ts';
import type { Run } from '../run.ts';
import type { Api } from '../send.ts';
import { clean, table } from '../terminal.ts';
import { type SignInOptions, withSession } from '../with-session.ts';

interface CreateOptions extends SignInOptions {
  scope?: string[];
  test?: boolean;
  expires?: string;
}

export function keysCommand(program: Command, run: Run) {
  const keys = program
    .command('keys')
    .description(
      'List, create, rotate and revoke API keys. A key can manage itself, and other keys with the scope keys:write; otherwise you are asked for your password.',
    )
    .addHelpText(
      'after',
      examples([
        ['paddock keys current', 'the key that is in use'],
        ['paddock keys rotate', 'replace it and store the new one'],
        ['paddock keys create ci --scope agents:deploy --scope agents:read --expires 90', 'a key for a CI job'],
      ]),
    );
  const signIn = (command: Command) =>
    command
      .option('--email <address>', 'your e-mail address (default: you are asked)')
      .option('--password-stdin', 'read your password from stdin');
  keys
    .command('current')
    .description('Show the key that is in use.')
    .action((_options: object, command: Command) => run(command, current));
  signIn(keys.command('list').alias('ls').description('List all keys of your team.')).action((options: SignInOptions, command: Command) =>
    run(command, (context) => list(context, options)),
  );
  signIn(keys.command('create').description('Create a key and print it once.').argument('<name>', 'what it is for'))
    .option(
      '--scope <scope>',
      `a scope of the key; can be repeated (default: all of yours): ${Object.keys(allScopes).join(', ')}`,
      collect,
      undefined,
    )
    .option('--test', 'create a test key, with a lower rate limit')
    .option('--expires <days>', 'days until it expires (default: never)')
    .action((name: string, options: CreateOptions, command: Command) => run(command, (context) => create(context, name, options)));
  signIn(
    keys
      .command('rotate')
      .description('Replace a key with a new one; the old one stops working at once.')
      .argument('[id]', 'another key (key_…)'),
  ).action((id: string | undefined, options: SignInOptions, command: Command) => run(command, (context) => rotate(context, id, options)));
  signIn(keys.command('revoke').description('Revoke a key permanently.').argument('[id]', 'another key (key_…)')).action(
    (id: string | undefined, options: SignInOptions, command: Command) => run(command, (context) => revoke(context, id, options)),
  );
}

const collect = (value: string, before: string[] | undefined) => [...(before ?? []), value];

async function current(context: Context) {
  const key = await ownKey(await context.server());
  context.terminal.result(key, clean(describe(key)));
}

async function list(context: Context, options: SignInOptions) {
  const answer = await withKeyOrSession(context, options, { scope: 'keys:read', work: (api) => api.apiKeys.list({ limit: 500 }) });
  const rows = answer.api_keys.map((key) => [
    key.id,
    key.name,
    `${key.key_prefix}…${key.key_suffix}`,
    formatState(key),
    key.last_used_at?.slice(0, 16).replace('T', ' ') ?? 'never',
    key.expires_at?.slice(0, 10) ?? 'never',
  ]);
  const { terminal } = context;
  terminal.result(
    answer,
    rows.length ? table(['KEY', 'NAME', 'BEGINS', 'STATE', 'LAST USED (UTC)', 'EXPIRES'], rows, terminal) : 'No API keys.',
  );
}

function formatState({ is_active, is_test_key }: ApiKey): string {
  if (!is_active) return 'revoked';
  return is_test_key ? 'test' : 'live';
}

async function create(context: Context, name: string, options: CreateOptions) {
  const scopes = options.scope?.map((scope) => {
    if (!(scope in allScopes)) throw usage(`There is no scope ${scope}. Scopes: ${Object.keys(allScopes).join(', ')}.`);
    return scope as Scope;
  });
  const expires_in_days = options.expires === undefined ? undefined : Number(options.expires);
  if (expires_in_days !== undefined && !(Number.isInteger(expires_in_days) && expires_in_days > 0))
    throw usage('--expires is a number of days.');
  const input = { name, is_test: options.test === true, ...(expires_in_days === undefined ? {} : { expires_in_days }) };
  const made = await withKeyOrSession(context, options, {
    scope: 'keys:write',
    work: async (api, own) => api.apiKeys.create({ ...input, scopes: scopes ?? own }),
  });
  reveal(context, made);
}

async function rotate(context: Context, id: string | undefined, options: SignInOptions) {
  const own = await isOwn(context, id);
  const rotateOther = (api: Api) => api.apiKeys.rotate({ id: id ?? '' });
  if (!own) return reveal(context, await withKeyOrSession(context, options, { scope: 'keys:write', work: rotateOther }));
  const made = await own.server.api.apiKeys.rotate({ id: own.key.id });
  if (own.server.source === 'environment') return reveal(context, made);
  await changeConfig(context.configFile, (config) => {
    const login = config.servers[own.server.url];
    if (login) config.servers[own.server.url] = { ...login, api_key: made.api_key, key_id: made.key_info.id };
  });
  context.terminal.result({ key_info: made.key_info }, 'The key was replaced. The new one is in use here; the old one no longer works.');
}

async function revoke(context: Context, id: string | undefined, options: SignInOptions) {
  const own = await isOwn(context, id);
  if (own) {
    await own.server.api.apiKeys.revoke({ id: own.key.id });
    if (own.server.source === 'config')
      await changeConfig(context.configFile, (config) => {
        delete config.servers[own.server.url];
      });
  } else await withKeyOrSession(context, options, { scope: 'keys:write', work: (api) => api.apiKeys.revoke({ id: id ?? '' }) });
  context.terminal.result({ revoked: own ? own.key.id : id }, own ? 'Your key was revoked. You are logged out.' : `Revoked ${id}.`);
}

interface OfOthers<T> {
  scope: Scope;
  /** `own` are the scopes of the caller. */
  work: (api: Api, own: Scope[]) => Promise<T>;
}

/** Works with the key in use if it has the scope and no e-mail is given, otherwise with the person's password. */
async function withKeyOrSession<T>(context: Context, options: SignInOptions, { scope, work }: OfOthers<T>): Promise<T> {
  const inUse = options.email === undefined ? await keyInUse(context) : undefined;
  if (inUse?.key.scopes.includes(scope)) return work(inUse.server.api, inUse.key.scopes);
  return withSession(context, options, (api) => work(api, Object.keys(allScopes) as Scope[]));
}

/** The key in use, if it has that id. Without an id there must be a key in use. */
async function isOwn(context: Context, id: string | undefined): Promise<{ server: Server; key: ApiKey } | undefined> {
  if (id === undefined) {
    const server = await context.server();
    return { server, key: await ownKey(server) };
  }
  const inUse = await keyInUse(context);
  return inUse?.key.id === id ? inUse : undefined;
}

/** Undefined without a login, or if the key in use no longer works. */
async function keyInUse(context: Context): Promise<{ server: Server; key: ApiKey } | undefined> {
  try {
    const server = await context.server();
    return { server, key: await ownKey(server) };
  } catch (error) {
    // Managing another key needs no login, and the key in use may be revoked.
    if (toExitCode(error) === exitCodes.forbidden || toExitCode(error) === exitCodes.not_found) return undefined;
    throw error;
  }
}

async function ownKey({ api }: Server): Promise<ApiKey> {
  const { key_info } = await api.apiKeys.validate();
  if (!key_info) throw notFound('You are logged in by a session, not by an API key.');
  return key_info;
}

/** Shows the key, which is possible only now. */
function reveal({ terminal }: Context, made: CreatedKey) {
  terminal.note(clean(`${made.key_info.name}: ${made.warning}`));
  terminal.result(made, made.api_key);
}

const describe = (key: ApiKey) =>
  [
    `${key.name} (${key.id})`,
    `Begins     ${key.key_prefix}…${key.key_suffix}`,
    `Kind       ${key.is_test_key ? 'test' : 'live'}, ${key.rate_limit} requests a minute`,
    `Scopes     ${key.scopes.join(', ')}`,
    `Created    ${key.created_at}`,
    `Expires    ${key.expires_at ?? 'never'}`,
    `Last used  ${key.last_used_at ?? 'never'}${key.last_used_ip ? ` from ${key.last_used_ip}` : ''}`,
  ].join('\n');
