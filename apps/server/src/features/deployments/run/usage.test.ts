import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startFailure } from './failure-messages.ts';
import { wantedArguments } from './usage.ts';

const asked = [{ name: 'DESK_KEY', required: true, secret: true, at: 'cli.py:3' }];
const says = (code: number, tail: string[], examples: string[] = []) =>
  startFailure(
    { kind: 'exited', exit: { code, signal: null, oom: false, disk_full: false, at: '2026-01-01T00:00:00Z' } },
    { limits: { memory_mb: 512, disk_mb: 1024 }, budgetSeconds: 120, tail, asked, examples },
  ).split('\n\nLast lines:')[0]!;

const ofClick = [
  'Usage: desk [OPTIONS] COMMAND [ARGS]...',
  '',
  'Options:',
  '  --help  Show this message and exit.',
  '',
  'Commands:',
  '  ask    Ask once.',
  '  serve  Serve.',
];
const ofArgparse = ['usage: desk.py [-h] {ask,serve} ...', 'desk.py: error: the following arguments are required: command'];
const ofTyper = ['Usage: desk [OPTIONS]', '╭─ Commands ─────╮', '│ serve   Serve. │', '╰────────────────╯'];

for (const [what, tail, expected] of [
  ['click', ofClick, /It wants arguments \(its commands are ask, serve\): give the whole command/],
  ['typer', ofTyper, /It wants arguments \(its commands are serve\): /],
  ['argparse', ofArgparse, /It wants arguments \(the following arguments are required: command\): /],
] as const)
  test(`an agent that prints its usage in the form of ${what} and ends wants arguments, not a variable`, () => {
    const said = says(2, [...tail]);
    assert.match(said, expected);
    assert.doesNotMatch(said, /DESK_KEY|variable/);
  });

for (const line of [
  'Error: Invalid value: File does not exist: desk_page.py',
  "Error: Invalid value for 'TARGET': File 'desk_page.py' does not exist.",
])
  test(`a start command whose file is not in the archive wants that file, not arguments: ${line.slice(0, 40)}`, () => {
    const said = says(2, ['Usage: desk [OPTIONS] TARGET', "Try 'desk --help' for help.", '', line]);
    assert.match(said, /The file desk_page\.py, which the start command names, is not there/);
    assert.doesNotMatch(said, /DESK_KEY|wants arguments/);
  });

test('a program that wants arguments is told with the commands that its documents have', () => {
  assert.match(
    says(2, ofArgparse, ['python desk.py ask "tea"']),
    /: give the whole command, such as `python desk\.py ask "tea"` of its documents, as the start command in the build settings/,
  );
});

test('a usage that was printed before another end is no cause', () => {
  assert.match(says(134, ofClick), /It may miss a variable: DESK_KEY/);
});

test('a program that reads arguments which it did not get is told to be given them', () => {
  const lines = [
    '  File "/app/src/parts.py", line 9, in <module>',
    '    client = Client(key=sys.argv[2])',
    'IndexError: list index out of range',
  ];
  assert.match(
    wantedArguments(1, lines) ?? '',
    /^It reads arguments of its command \(sys\.argv\), and got none: give the whole command, as the start/,
  );
  assert.equal(wantedArguments(1, [lines[0]!, '    first = found[2]', lines[2]!]), undefined);
});
