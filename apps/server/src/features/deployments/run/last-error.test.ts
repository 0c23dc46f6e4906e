import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lastError, quotedError, withoutOutput } from './last-error.ts';

const traceback = (error: string, ...more: string[]) => [
  'Traceback (most recent call last):',
  '  File "/app/main.py", line 3, in <module>',
  '    from fast_kit import Engine',
  '    ^^^^^^^^^^^^^^^^^^^^^^^^^^^',
  error,
  ...more,
];

const cases: [what: string, tail: string[], error: string | undefined][] = [
  [
    'a logger of JSON',
    [
      '{"level":30,"time":1795796245479,"pid":2,"hostname":"agent","msg":"[Metrics] listening"}',
      '{"level":50,"time":1795796245567,"pid":2,"hostname":"agent","args":[{"code":"ENOTFOUND"}],"msg":"Failed to start bot:"}',
      '{"level":"info","message":"bye"}',
      '{not JSON}',
    ],
    'Failed to start bot: {"args":[{"code":"ENOTFOUND"}]}',
  ],
  ['a logger of JSON with words', ['{"level":"error","message":"No key","timestamp":"2026-11-27"}'], 'No key'],
  ['a traceback', ['starting', ...traceback('telegram.error.InvalidToken: Not Found')], 'telegram.error.InvalidToken: Not Found'],
  [
    'a chain of tracebacks: the last',
    [
      ...traceback('KeyError: 3'),
      '',
      'During handling of the above exception, another exception occurred:',
      '',
      ...traceback('shop.Refused: no stock'),
    ],
    'shop.Refused: no stock',
  ],
  [
    'a traceback that a server reports as failed',
    [
      'INFO:     Waiting for application startup.',
      ...traceback('ValueError: bad port'),
      '',
      'ERROR:    Application startup failed. Exiting.',
    ],
    'ValueError: bad port',
  ],
  ['what is said while it ends', [...traceback('ValueError: bad port'), ...traceback('KeyboardInterrupt')], 'ValueError: bad port'],
  [
    'what the interpreter passes over',
    ['RuntimeError: no loop', 'Exception ignored in: <function Client.__del__ at 0x7f>', ...traceback('AttributeError: closed')],
    'RuntimeError: no loop',
  ],
  [
    'a group of exceptions',
    [
      '  + Exception Group Traceback (most recent call last):',
      '  |   File "/app/main.py", line 9, in <module>',
      '  |     run()',
      '  | ExceptionGroup: unhandled errors in a TaskGroup (1 sub-exception)',
      '  +-+---------------- 1 ----------------',
      '    | Traceback (most recent call last):',
      '    |   File "/app/main.py", line 5, in one',
      '    | ConnectionError: nobody answers',
      '    +------------------------------------',
    ],
    'ConnectionError: nobody answers',
  ],
  [
    'a model that was not filled',
    [
      ...traceback('pydantic_core._pydantic_core.ValidationError: 1 validation error for Job'),
      'queue',
      '  Field required [type=missing]',
      '    For further information visit the guide',
    ],
    'pydantic_core._pydantic_core.ValidationError: 1 validation error for Job queue Field required [type=missing]',
  ],
  [
    'an error of Node with its stack and cause',
    [
      '/app/server.js:3',
      "throw new TypeError('no room');",
      '^',
      '',
      'TypeError: no room',
      '    at Object.<anonymous> (/app/server.js:3:7)',
      '    at Module._compile (node:internal/modules/cjs/loader:1554:14) {',
      '  [cause]: Error: full',
      '      at Object.<anonymous> (/app/server.js:2:7)',
      '}',
      '',
      'Node.js v24.1.0',
    ],
    'TypeError: no room',
  ],
  ['an error with its code', ['Error [ERR_X]: not so', '    at f (a.js:1:1)', 'Node.js v24.1.0'], 'Error [ERR_X]: not so'],
  ['a program that says error', ['usage: run [-h] FILE', 'run: hello', 'error: unknown flag --fast'], 'error: unknown flag --fast'],
  [
    'a panic',
    ["thread 'main' panicked at src/main.rs:2:5: no file", 'note: run with backtrace'],
    "thread 'main' panicked at src/main.rs:2:5: no file",
  ],
  [
    'a line of a logger',
    ['10:00 - root - ERROR - No license was given', '10:01 - root - INFO - bye'],
    '10:00 - root - ERROR - No license was given',
  ],
  ['lines without an error', ['hello', 'no errors so far', '  error: indented', 'bye'], undefined],
  ['nothing', [], undefined],
];
for (const [what, tail, error] of cases) test(`the last error is read out of ${what}`, () => assert.equal(lastError(tail), error));

test('a line that never ends is quoted to a bounded length, and ten thousand frames take no time by their square', () => {
  assert.ok(lastError([`ValueError: ${'”'.repeat(100_000)}`])!.length < 320);
  assert.equal(lastError(Array<string>(10_000).fill('  File "x", line 1')), undefined);
});

test('what an agent wrote is left out of a message for alerts and mails, whatever it wrote', () => {
  const message = (error: string) => `Start failed: the agent exited with code 3${quotedError(error)}. Mend it.\n\nLast lines:\nkey sk-1`;
  for (const error of ['ValueError: key sk-1', `a”b ; its output says “x” ${'c'.repeat(1000)}`])
    assert.equal(withoutOutput(message(lastError([`Error: ${error}`])!)), 'Start failed: the agent exited with code 3. Mend it.');
});

test('an error that only says that a start failed gives way to the log line with its cause', () => {
  const log = [
    'ERROR:main:Failed to initialize: no file at ./key.json',
    'ERROR:    Traceback (most recent call last):',
    '  File "main.py", line 3, in start',
  ];
  assert.equal(lastError([...log, 'RuntimeError: Application startup failed.']), log[0]);
  const chain = [
    '  File "main.py", line 2, in read',
    'RuntimeError: no file at ./key.json',
    '',
    'During handling of the above exception, another exception occurred:',
    '',
  ];
  assert.equal(lastError([...chain, log[2]!, 'RuntimeError: Application startup failed.']), chain[1]);
  assert.equal(lastError([log[2]!, 'RuntimeError: Application startup failed.']), 'RuntimeError: Application startup failed.');
});

test('an error that has only its name in the first line is told with the line that follows', () => {
  const lines = ['  File "/app/a.py", line 1, in <module>', 'LookupError: ', '*'.repeat(70), "  Resource 'stopwords' not found.", ''];
  assert.equal(lastError(lines), "LookupError: Resource 'stopwords' not found.");
});
