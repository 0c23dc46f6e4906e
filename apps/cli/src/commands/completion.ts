import { Environment } from '@paddock/contract';
import type { Command } from 'commander';
import { Argument } from 'commander';
import { bash, fish, type Vocabulary, zsh } from '../completion-scripts.ts';
import type { Context } from '../context.ts';
import { examples } from '../examples.ts';
import type { Run } from '../run.ts';

const scripts = { bash, zsh, fish };
type Shell = keyof typeof scripts;

export function completionCommand(program: Command, run: Run) {
  program
    .command('completion')
    .description('Print a script that completes commands and options in your shell.')
    .addArgument(new Argument('<shell>', 'your shell').choices(Object.keys(scripts)))
    .addHelpText(
      'after',
      examples([
        ['source <(paddock completion bash)', 'in ~/.bashrc'],
        ['source <(paddock completion zsh)', 'in ~/.zshrc, after compinit'],
        ['paddock completion fish | source', 'in config.fish'],
      ]),
    )
    .action((shell: Shell, _options: object, command: Command) =>
      run(command, async ({ terminal }) => {
        const script = scripts[shell](collectVocabulary(program));
        terminal.result({ shell, script }, script.trimEnd());
      }),
    );
  program
    .command('completion-values', { hidden: true })
    .description('Print the names that the completion scripts offer: one a line, none without a login or an answer in time.')
    .addArgument(new Argument('<kind>', 'what to name').choices(['projects']))
    .action((_kind: string, _options: object, command: Command) => run(command, printProjects));
}

const maxNames = 100;
const maxWaitMs = 2_000;

async function printProjects(context: Context): Promise<void> {
  // A shell that completes a word has no place for an error: nothing is offered then.
  const names = await projectNames(context).catch(() => []);
  context.terminal.result({ names }, names.join('\n'));
}

/** Names that are one plain word: bash expands what it is offered, and a name comes from the server. */
async function projectNames(context: Context): Promise<string[]> {
  const { api } = await context.server();
  const { projects } = await api.projects.list({ limit: maxNames }, { signal: AbortSignal.timeout(maxWaitMs) });
  return projects.map(({ name }) => name).filter((name) => /^[A-Za-z0-9][\w.-]{0,99}$/.test(name));
}

function collectVocabulary(program: Command): Vocabulary {
  const found: Vocabulary = { words: new Map(), values: new Map(), ofProjects: [] };
  const walk = (command: Command, path: string[]) => {
    const names = program
      .createHelp()
      .visibleCommands(command)
      .map((each) => each.name());
    const visible = [...program.options, ...command.options].filter(({ hidden }) => !hidden);
    const choices = command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []);
    const all = [...names, ...choices, ...visible.map(({ long }) => long ?? ''), '--help'];
    found.words.set(
      path.join(' '),
      [...new Set(all)].filter((word) => word !== '' && word !== 'help'),
    );
    for (const { long, argChoices } of visible) {
      const given = long === '--env' ? Environment.options : argChoices;
      if (long && given) found.values.set([...path, long].join(' '), [...given]);
    }
    if (command.registeredArguments.some((argument) => /\bproject\b|^which$/.test(argument.name()))) found.ofProjects.push(path.join(' '));
    for (const each of command.commands) if (names.includes(each.name())) walk(each, [...path, each.name()]);
  };
  walk(program, []);
  return found;
}
