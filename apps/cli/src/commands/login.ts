import type { Command } from 'commander';
import { askSecret, readStdin } from '../ask.ts';
import { changeConfig } from '../config-file.ts';
import { type Context, demoKeyPrefix, refuseDemoKey } from '../context.ts';
import { examples } from '../examples.ts';
import { exitCodes, ToolError, usage } from '../failures.ts';
import { listenForKey } from '../login/listen-for-key.ts';
import { openBrowser } from '../login/open-browser.ts';
import type { Run } from '../run.ts';
import { clean } from '../terminal.ts';

interface Options {
  /** True if the option has no value. */
  apiKey?: string | true;
  browser: boolean;
}

export function loginCommand(program: Command, run: Run) {
  program
    .command('login')
    .description('Log in with the browser or an API key.')
    .option(
      '--api-key [key]',
      'use this key; without a value, or with -, it is prompted for or read from stdin and stays out of the shell history',
    )
    .option('--no-browser', 'only print the address to open')
    .addHelpText(
      'after',
      examples([
        ['paddock login', 'open the browser and confirm there'],
        ['paddock login --url https://paddock.example.com', 'log in to another server, which becomes the default'],
        ['paddock login --api-key - < key.txt', 'without a browser'],
      ]),
    )
    .action((options: Options, command: Command) => run(command, (context) => login(context, options)));
}

async function login(context: Context, { apiKey, browser }: Options) {
  const url = await context.url();
  const key = apiKey === undefined ? await keyByBrowser(context, url, browser) : await givenKey(context, apiKey);
  if (key.startsWith(demoKeyPrefix)) refuseDemoKey(key);
  const api = await context.api(key);
  const who = await api.apiKeys.validate();
  if (who.kind !== 'api_key') throw usage('This is no API key.');
  await changeConfig(context.configFile, (config) => {
    config.current = url;
    config.servers[url] = {
      api_key: key,
      email: who.user.email,
      ...(who.key_info ? { key_id: who.key_info.id } : {}),
      is_own: apiKey === undefined,
    };
  });
  const { terminal } = context;
  terminal.result(
    { url, user: who.user, scopes: who.scopes, key: who.key_info },
    clean(`Logged in to ${url} as ${who.user.name} (${who.user.email}).`),
  );
  terminal.note(terminal.notePaint.dim(`The key is kept in ${context.configFile}.`));
}

async function givenKey(context: Context, typed: string | true): Promise<string> {
  const isTyped = typed !== true && typed !== '-';
  const key = (isTyped ? typed : await (context.terminal.isInteractive ? askSecret(context, 'API key') : readStdin(context))).trim();
  if (!/^pk_[\w-]{8,}$/.test(key)) throw usage('An API key begins with pk_live_ or pk_test_.');
  if (isTyped) context.terminal.note('The key now stands in the history of your shell. "paddock login --api-key -" reads it from stdin.');
  return key;
}

async function keyByBrowser({ terminal, env, signal }: Context, url: string, browser: boolean): Promise<string> {
  const listener = await listenForKey(url, signal);
  const address = `${url}/login?${new URLSearchParams({ cli: 'true', callback: listener.callback })}`;
  try {
    // The address is also printed with --json: a person has to open it.
    process.stderr.write(`Open this address to log in:\n\n  ${address}\n\n`);
    if (browser && (await openBrowser(address, env))) terminal.note('It was opened in your browser.');
    terminal.progress('Waiting for the browser …');
    return await listener.key;
  } catch (error) {
    if (error instanceof ToolError && error.code === 'login_timeout')
      throw new ToolError('login_timeout', `${error.message} Without a browser: paddock login --api-key -`, {
        exit: exitCodes.failed,
        cause: error,
      });
    throw error;
  } finally {
    terminal.progress('');
    listener.close();
  }
}
