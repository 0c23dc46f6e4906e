import type { Command } from 'commander';
import { Argument } from 'commander';
import { bash, fish, type Words, zsh } from '../completion-scripts.ts';
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
        const script = scripts[shell](collectWords(program));
        terminal.result({ shell, script }, script.trimEnd());
      }),
    );
}

/** The words that may follow each command, by its path: `''`, `'env'`, `'env set'`. */
function collectWords(program: Command): Words {
  const words: Words = new Map();
  const walk = (command: Command, path: string[]) => {
    const names = command.commands.map((each) => each.name());
    const options = [...program.options, ...command.options].filter(({ hidden }) => !hidden).map(({ long }) => long ?? '');
    const choices = command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []);
    words.set(path.join(' '), [...new Set([...names, ...choices, ...options, '--help'])].filter(Boolean));
    for (const each of command.commands) walk(each, [...path, each.name()]);
  };
  walk(program, []);
  return words;
}
