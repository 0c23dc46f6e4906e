import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Command } from 'commander';
import { toolProgram } from '../../../scripts/test/product.ts';
import { parseTime } from './commands/logs.ts';
import { exitCodes } from './failures.ts';
import { buildProgram } from './program.ts';
import { table } from './terminal.ts';

const guide = readFileSync(join(import.meta.dirname, '../../../docs/cli.md'), 'utf8');
const main = toolProgram();
const program = () => buildProgram({ json: false, version: '0', run: async () => undefined });
/** Commands that list without a subcommand. */
const lists = new Set(['projects', 'alerts']);
const leaves = (command: Command, path: string[] = []): string[] =>
  command.commands.length && !lists.has(command.name())
    ? command.commands.flatMap((each) => leaves(each, [...path, each.name()]))
    : [path.join(' '), ...command.commands.filter((each) => each.name() !== 'list').map((each) => [...path, each.name()].join(' '))];
/** Options that the guide explains once, below the table of commands. */
const sharedOptions = ['--project', '--env', '--email', '--password-stdin', '--json', '--url'];
const guideRow = (name: string) => guide.split('\n').find((line) => new RegExp(`^\\| \`paddock ${name}[\` ]`).test(line)) ?? '';
/** The rows that explain a command's options: the filters of \`audit export\` are those of \`audit list\`. */
const optionRows = (name: string) => guideRow(name) + (name === 'audit export' ? guideRow('audit list') : '');
const commandAt = (root: Command, name: string): Command[] => {
  const found = name.split(' ').reduce<Command | undefined>((parent, word) => parent?.commands.find((each) => each.name() === word), root);
  const list = found?.commands.find((each) => each.name() === 'list');
  return [found, list].filter((each) => each !== undefined);
};
const tool = (args: string[]) => execFileSync(process.execPath, [main, ...args], { encoding: 'utf8', timeout: 30_000 });

test('docs/cli.md names every command and every exit code', () => {
  const commands = leaves(program());
  assert.ok(commands.includes('env set') && commands.includes('deploy'));
  assert.deepEqual(
    commands.filter((name) => !new RegExp(`\`paddock ${name}[\` ]`).test(guide)),
    [],
  );
  assert.deepEqual(
    Object.values(exitCodes).filter((code) => !guide.includes(`| \`${code}\``)),
    [],
  );
});

test('docs/cli.md names every option beside its command', () => {
  const root = program();
  const isNamed = (text: string, flag: string | undefined) => flag !== undefined && new RegExp(`[\` ]${flag}[\` ]`).test(text);
  const missing = leaves(root).flatMap((name) =>
    commandAt(root, name)
      .flatMap(({ options }) => options)
      .filter(
        ({ long, short, hidden }) =>
          !hidden && !sharedOptions.includes(long ?? '') && !isNamed(optionRows(name), long) && !isNamed(optionRows(name), short),
      )
      .map(({ long }) => `${name} ${long}`),
  );
  assert.deepEqual(missing, []);
  const { options } = root;
  const explained = [...sharedOptions, ...options.flatMap(({ long }) => long ?? [])].filter((flag) => flag !== '--version');
  assert.deepEqual(
    explained.filter((flag) => !isNamed(guide, flag)),
    [],
  );
});

test('bash completes commands, their subcommands, their options, values of options, and names of projects', () => {
  // The names come from the server; the tool prints plain words alone.
  const script = `${tool(['completion', 'bash'])}\npaddock() { [ "$*" = 'completion-values projects' ] && printf 'desk\\ndraft\\n'; }`;
  const completions = (...words: string[]) => {
    const given = words.map((word) => `'${word}'`).join(' ');
    const ask = `${script}\nCOMP_WORDS=(paddock ${given}); COMP_CWORD=${words.length}; _paddock; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return execFileSync('bash', ['-c', ask], { encoding: 'utf8' }).trim().split('\n');
  };
  assert.deepEqual(completions('dep'), ['deploy']);
  assert.deepEqual(completions('env', 'u'), ['unset']);
  assert.deepEqual(completions('alerts', 'sn'), ['snooze']);
  assert.deepEqual(completions('audit', 'ver'), ['verify', 'verify-erasure']);
  assert.deepEqual(completions('audit', 'list', '--sin'), ['--since']);
  assert.deepEqual(completions('alerts', 'rules', 'err'), ['error_rate']);
  assert.deepEqual(completions('logs', '--le'), ['--level']);
  assert.deepEqual(completions('--json', 'completion', 'z'), ['zsh']);
  assert.deepEqual(completions('completion', 'z'), ['zsh']);
  assert.deepEqual(completions('list', '--status', 'act'), ['active']);
  assert.deepEqual(completions('traces', '--status', 'err'), ['error']);
  assert.deepEqual(completions('logs', 'desk', '--env', 'pre'), ['preview']);
  assert.deepEqual(completions('deploy', '--project', 'd'), ['desk', 'draft']);
  assert.deepEqual(completions('logs', 'dr'), ['draft']);
  assert.deepEqual(completions('complet'), ['completion'], 'the command for the scripts is not offered');
});

test('a span such as 15m counts back from now, and a time is taken as it is', () => {
  const now = new Date('2026-01-31T12:00:00Z');
  assert.equal(parseTime('90s', now), '2026-01-31T11:58:30.000Z');
  assert.equal(parseTime('2h', now), '2026-01-31T10:00:00.000Z');
  assert.equal(parseTime('1d', now), '2026-01-30T12:00:00.000Z');
  assert.equal(parseTime('2026-01-01T00:00:00Z', now), '2026-01-01T00:00:00.000Z');
  for (const wrong of ['yesterday', '5', '-1h', '2026', '1w', '']) assert.throws(() => parseTime(wrong, now), { code: 'usage' }, wrong);
});

test('what a server names cannot act on the terminal', () => {
  const shown = table(['NAME'], [['\x1b]0;owned\x07a\x1b[2Jb\x9b31m']], plain);
  assert.equal(shown, 'NAME\nab31m');
});

const plain = { paint: { bold: (text: string) => text }, width: null };

test('columns that do not fit into the terminal go to an indented line of their row, and a pipe gets one line', () => {
  const [headings, rows] = [
    ['ID', 'NAME', 'ADDRESS'],
    [
      ['dep_1', 'desk', 'http://desk.localhost'],
      ['dep_22', 'x', ''],
    ],
  ];
  assert.equal(table(headings, rows, { ...plain, width: 24 }), 'ID      NAME\n  ADDRESS\ndep_1   desk\n  http://desk.localhost\ndep_22  x');
  const wide = 'ID      NAME  ADDRESS\ndep_1   desk  http://desk.localhost\ndep_22  x     ';
  assert.equal(table(headings, rows, { ...plain, width: 35 }), wide);
  assert.equal(table(headings, rows, plain), wide);
  for (const width of [1, 8]) assert.equal(table(headings, rows, { ...plain, width }).split('\n')[0], 'ID');
});
