import { beforeEach, expect, test } from 'vitest';
import { type Command, matchCommands } from './command.ts';
import { noteCommand, readRecentCommands } from './recent-commands.ts';

const command = (label: string, more: Partial<Command> = {}): Command => ({
  id: label,
  label,
  group: 'Go to',
  run: () => undefined,
  ...more,
});
const labels = (commands: Command[], typed: string, recent?: string[]) => matchCommands(commands, typed, recent).map(({ label }) => label);

beforeEach(() => localStorage.clear());

test('a label that is or begins with what is typed comes before one that has it in its middle, and a hidden word comes last', () => {
  const commands = [
    command('unneeded'),
    command('Variables of need-key'),
    command('support', { words: 'needs a person' }),
    command('need-key', { group: 'Project' }),
    command('need'),
  ];
  expect(labels(commands, 'need')).toEqual(['need', 'need-key', 'Variables of need-key', 'unneeded', 'support']);
  expect(labels(commands, 'need project')).toEqual(['need-key']);
  expect(labels(commands, 'nothing')).toEqual([]);
});

test('what was run lately comes first among what fits as well, and first of all before something is typed', () => {
  const commands = [command('Dashboard'), command('Deployments'), command('Databases'), command('desk', { isSearchOnly: true })];
  expect(labels(commands, 'd', ['Databases'])).toEqual(['Databases', 'Dashboard', 'Deployments', 'desk']);
  expect(labels(commands, '', ['desk', 'Databases'])).toEqual(['desk', 'Databases', 'Dashboard', 'Deployments']);
  expect(labels(commands, '')).toEqual(['Dashboard', 'Deployments', 'Databases']);
});

test('a list of thousands is cut', () => {
  expect(
    matchCommands(
      Array.from({ length: 5_000 }, (_, n) => command(`agent-${n}`)),
      'agent',
    ),
  ).toHaveLength(100);
});

test('the eight commands that were run last are remembered in this browser, each once', () => {
  for (const id of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'b']) noteCommand(id);
  expect(readRecentCommands()).toEqual(['b', 'i', 'h', 'g', 'f', 'e', 'd', 'c']);
});
