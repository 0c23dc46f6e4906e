import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findMissingDependency, lackedPackages } from './diagnose-output.ts';

const texts: [what: string, tail: string[], message: RegExp][] = [
  ['a program of a shell line', ['/bin/sh: 1: tunnel.sh: not found'], /The program tunnel\.sh is not there/],
  [
    'an executable bit',
    ['exec: ./run.sh: Permission denied'],
    /The file \.\/run\.sh is not executable: .*chmod \+x run\.sh.*sh \.\/run\.sh/,
  ],
  ['an executable bit, of a shell', ['sh: 1: ./bin/serve: Permission denied'], /The file \.\/bin\/serve is not executable/],
  ['an executable bit, of Bash', ['start.sh: line 3: ./run.sh: Permission denied'], /The file \.\/run\.sh is not executable/],
  ['line ends of Linux', ['/usr/bin/env: ‘python3\\r’: No such file or directory'], /line ends of Windows \(CRLF\)/],
  [
    'line ends of Linux in a script',
    ['bash: ./run: /bin/sh^M: bad interpreter: No such file or directory'],
    /line ends of Windows \(CRLF\)/,
  ],
  [
    'a file of variables',
    ['node: .env: not found'],
    /reads the file \.env \(--env-file\), which is not there: set its variables under Variables/,
  ],
  [
    'a file of variables of uv',
    ['error: No environment file found at: `desk.env`'],
    /reads the file desk\.env \(--env-file\), which is not there/,
  ],
  [
    'a package around a file',
    ['    from .answers import answer', "ModuleNotFoundError: No module named 'src/desk'"],
    /src\/desk\.py imports from its own package .* start it as a module, such as “python -m src\.desk”/,
  ],
];
texts.push(
  [
    'a folder of SQLite',
    ['sqlalchemy.exc.OperationalError: (sqlite3.OperationalError) unable to open database file'],
    /SQLite cannot open its file, as a rule because the folder is not there/,
  ],
  ['a folder of SQLite under bun', ['SQLiteError: unable to open database file'], /let the agent make it before/],
  [
    'a place to write',
    ["OSError: [Errno 30] Read-only file system: '/models'"],
    /writes to \/models, which an agent may not: let it use a folder below \/app/,
  ],
  [
    'a part of Python that opens windows',
    ['    import tkinter as tk', "ModuleNotFoundError: No module named 'tkinter'"],
    /'tkinter' opens windows, which nobody sees on a server.*Import it only where a window is opened/,
  ],
  [
    'an integration of LlamaIndex, whose group alone Python names',
    ['    from llama_index.llms.open_router import OpenRouter', "ModuleNotFoundError: No module named 'llama_index.llms'"],
    /The module 'llama_index\.llms\.open_router' is missing: add llama-index-llms-open-router to the dependencies/,
  ],
  [
    'a part of the core of LlamaIndex',
    ['    from llama_index.core.agents import Desk', "ModuleNotFoundError: No module named 'llama_index.core.agents'"],
    /'llama_index\.core\.agents' is missing, though llama_index\.core is there/,
  ],
  [
    'another module than one whose absence was caught',
    [
      "ModuleNotFoundError: No module named 'spare'",
      'Traceback (most recent call last):',
      '    from flurb import start',
      "ModuleNotFoundError: No module named 'flurb'",
    ],
    /The module 'flurb' is missing: add it/,
  ],
  [
    'a part that Python gave up',
    ["ModuleNotFoundError: No module named 'distutils.util'"],
    /'distutils\.util' is part of Python up to 3\.11 only: ask for that version .* or add setuptools to the dependencies/,
  ],
  [
    'a part that Python gave up for nothing',
    ["ModuleNotFoundError: No module named 'imp'"],
    /up to 3\.11 only: .*\.python-version\) and deploy/,
  ],
  ['a program of the system, of a shell', ['entry.sh: line 9: ffmpeg: command not found'], /ffmpeg is not on this machine: .* install it/],
  ['a file, of bun', ['$ bun run start.js', 'error: Module not found "start.js"'], /^The file start\.js is not there: check "start"/],
  [
    'a type',
    [
      '    return new TSError(diagnosticText, diagnosticCodes, diagnostics);',
      'TSError: ⨯ Unable to compile TypeScript:',
      "src/desk.ts(2,20): error TS7016: Could not find a declaration file for module 'bell'. '/app/node_modules/bell/index.js' has none.",
      "src/desk.ts(9,1): error TS7006: Parameter 'one' implicitly has an 'any' type.",
    ],
    /does not compile: src\/desk\.ts\(2,20\): error TS7016: Could not find a declaration file for module 'bell'\. Correct that, or set/,
  ],
  ['a place to write, of Node', ["Error: EACCES: permission denied, mkdir '/etc/desk'"], /writes to \/etc\/desk, which/],
);
for (const [what, tail, message] of texts)
  test(`last lines that miss ${what} say which`, () => assert.match(findMissingDependency(tail) ?? '', message));

const lacks: [what: string, tail: string[], name: string | undefined][] = [
  ['a package of its own name', ["ModuleNotFoundError: No module named 'ddgs'"], 'ddgs'],
  ['a part of a package of another name', ["ModuleNotFoundError: No module named 'bs4.element'"], undefined],
  ['a package of another name', ["ModuleNotFoundError: No module named 'bs4'"], 'beautifulsoup4'],
  [
    'a package of Node, by one of its parts',
    ["Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'zod/v4' imported from /app/a.mjs"],
    'zod',
  ],
  [
    'a package that another one asks for',
    ["ValueError: the greenlet library is required to use this function. No module named 'greenlet'"],
    'greenlet',
  ],
  ['a package of Node with a scope', ["Error: Cannot find module '@desk/bell/loud'"], '@desk/bell'],
  ['a file of the agent', ["Error: Cannot find module './bell.js'"], undefined],
  ['a part of Python', ["ModuleNotFoundError: No module named 'distutils'"], undefined],
  ['nothing', ['ready'], undefined],
];
for (const [what, tail, name] of lacks)
  test(`a start that misses ${what} ${name === undefined ? 'is offered no package' : `is offered ${name}`}`, () =>
    assert.deepEqual(lackedPackages(tail, {}), name === undefined ? [] : [name]));

test('a package that is there, without the module, is not offered', () =>
  assert.deepEqual(lackedPackages(["ModuleNotFoundError: No module named 'mcp.server.fastmcp'"], { installed: 'mcp 2.0.1' }), []));

test('packages that the start imports as well, and that are not installed either, are named and offered with the first', () => {
  const others = ['arxiv', 'ddgs', 'PyYAML'];
  const tail = ["ModuleNotFoundError: No module named 'ddgs'"];
  assert.match(findMissingDependency(tail, { others }) ?? '', /'ddgs' is missing: add it .* Not installed either: arxiv, PyYAML\.$/);
  assert.deepEqual(lackedPackages(tail, { others }), ['ddgs', 'arxiv', 'PyYAML']);
  assert.doesNotMatch(findMissingDependency(["ModuleNotFoundError: No module named 'distutils'"], { others }) ?? '', /either/);
  assert.deepEqual(lackedPackages(['ready'], { others }), []);
});

test('a program whose package is certain in the language of the project is named and offered with its package', () => {
  const tail = ['sh: 1: tsx: not found'];
  assert.match(findMissingDependency(tail, { language: 'node' }) ?? '', /^The program tsx is not there: add tsx to the dependencies/);
  assert.deepEqual(lackedPackages(tail, { language: 'node' }), ['tsx']);
  assert.deepEqual(lackedPackages(tail, { language: 'python' }), []);
  assert.deepEqual(lackedPackages(['sh: 1: exec: gunicorn: not found'], { language: 'python', others: ['ddgs'] }), ['gunicorn', 'ddgs']);
  assert.deepEqual(lackedPackages(['sh: 1: desk-tool: not found'], { language: 'node' }), []);
});

test('source that was written for a newer Python is told with the version to ask for', () => {
  const said: [tail: string, message: RegExp][] = [
    [
      "ImportError: cannot import name 'override' from 'typing' (/usr/lib/python3.11/typing.py)",
      /override from typing, .* since 3\.12: ask for 3\.12 or newer/,
    ],
    ["ImportError: cannot import name 'UTC' from 'datetime' (/usr/lib/python3.10/datetime.py)", /since 3\.11/],
    ["ModuleNotFoundError: No module named 'tomllib'", /'tomllib' is part of Python since 3\.11/],
    ["SyntaxError: f-string: unmatched '('", /f-strings as Python reads them since 3\.12/],
    ['SyntaxError: f-string expression part cannot include a backslash', /since 3\.12/],
  ];
  for (const [tail, message] of said) {
    assert.match(findMissingDependency([tail]) ?? '', message);
    assert.deepEqual(lackedPackages([tail], {}), []);
  }
  assert.doesNotMatch(findMissingDependency(["ImportError: cannot import name 'Desk' from 'typing'"]) ?? '', /since/);
});

test('an error in a package that was installed without its program names the package and the host', () => {
  const lines = ["Error: Cannot find module '../build/Release/sharp-linux-x64.node'", '    at /app/node_modules/sharp/lib/sharp.js:9:7'];
  const unfetched = [{ name: 'sharp', reason: 'It needs github.com, which this machine doesn’t reach: the name is not known to it.' }];
  assert.match(
    findMissingDependency(lines, { unfetched }) ?? '',
    /^The package sharp lacks the program .* It needs github\.com, .* Ask the operator/,
  );
  const other = ["Error: Cannot find module '../lib/own.js'", '    at /app/index.js:9:7'];
  assert.doesNotMatch(findMissingDependency(other, { unfetched }) ?? '', /sharp/);
});
