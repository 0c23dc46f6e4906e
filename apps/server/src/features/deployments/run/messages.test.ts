import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BuildError } from '@paddock/builder';
import { buildFailure, startFailure } from './messages.ts';

const limits = { memory_mb: 512, disk_mb: 1024 };
const exit = (code: number) => ({
  kind: 'exited' as const,
  exit: { code, signal: null, oom: false, disk_full: false, at: '2026-01-01T00:00:00Z' },
});
const says = (tail: string[], more: { set?: string[]; asks?: { file: string; names: string[] }; code?: number } = {}) =>
  startFailure(exit(more.code ?? 1), { limits, budgetSeconds: 120, tail, ...more }).split('\n\nLast lines:')[0]!;

const texts: [what: string, tail: string[], message: RegExp][] = [
  ['a KeyError', ["KeyError: 'BOT_TOKEN'"], /the variable BOT_TOKEN: set it under Variables/],
  [
    'a client library that names alternatives',
    ['OpenAIError: Missing credentials. Pass an `apiKey`, or set the `OPENAI_API_KEY` or `OPENAI_ADMIN_KEY` environment variable.'],
    /the variable OPENAI_API_KEY: set it/,
  ],
  [
    'a list of its own',
    ['root - ERROR - The following environment values are missing in your .env: TELEGRAM_BOT_TOKEN, OPENAI_API_KEY'],
    /the variables TELEGRAM_BOT_TOKEN, OPENAI_API_KEY: set them/,
  ],
  [
    'settings of pydantic',
    [
      'pydantic_core._pydantic_core.ValidationError: 2 validation errors for Settings',
      'database_url',
      '  Field required [type=missing, input_value={}, input_type=dict]',
      'secret_key',
      '  Field required [type=missing, input_value={}, input_type=dict]',
    ],
    /the variables DATABASE_URL, SECRET_KEY: set SECRET_KEY under Variables, and deploy with a database, which sets DATABASE_URL\./,
  ],
  [
    'a module under another name than its package',
    ["ModuleNotFoundError: No module named 'dotenv'"],
    /'dotenv' is missing: add python-dotenv to the dep/,
  ],
  [
    'a file that the build should have made',
    ["Error: Cannot find module '/app/dist/index.js'", "  code: 'MODULE_NOT_FOUND',"],
    /The file \/app\/dist\/index\.js is not there/,
  ],
  ['a program', ['bwrap: execvp ./ai: No such file or directory'], /The program \.\/ai is not there/],
  ['a program of the shell', ['sh: 1: exec: gunicorn: not found'], /The program gunicorn is not there/],
  ['a system library', ['ImportError: libGL.so.1: cannot open shared object file: No such file'], /The system library libGL\.so\.1/],
  ['a terminal', ['    q = input("You: ")', 'EOFError: EOF when reading a line'], /asks for input on a terminal/],
];
for (const [what, tail, message] of texts) test(`an agent that misses ${what} is told so`, () => assert.match(says(tail), message));

test('an agent whose heap is full is told how much memory it has, though Node ended it and not the kernel', () => {
  const tail = ['FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory'];
  assert.match(says(tail, { code: 134 }), /used more than its 512 MB of memory.*raise PADDOCK_AGENT_MEMORY_MB/);
});

test('codes of errors are not taken for variables, nor are variables that are set', () => {
  for (const line of ["code: 'ERR_MODULE_NOT_FOUND' is required", 'Error: NODE_OPTIONS must be set', 'Error: missing EADDRINUSE'])
    assert.match(says([line]), /Look at the last lines/, line);
  assert.match(says(['Error: the API_KEY environment variable is invalid'], { set: ['API_KEY'] }), /Look at the last lines/);
});

test('a start that fails for no stated reason names what the example file asks for and is not set', () => {
  const asks = { file: '.env.sample', names: ['APP_ID', 'PUBLIC_KEY'] };
  const message = says(['Error: You must specify a client public key'], { asks, set: ['APP_ID'] });
  assert.match(message, /\.env\.sample asks for PUBLIC_KEY, which is not set/);
  assert.doesNotMatch(says(['boom'], { asks, set: asks.names }), /\.env\.sample/);
  assert.match(says([], { asks, code: 0 }), /type: job.*\.env\.sample asks for APP_ID, PUBLIC_KEY/);
});

test('a build that needs a variable says that builds have to get it', () => {
  const error = new BuildError('build', 'build_failed', {
    message: 'The build failed (exit code 1).',
    hint: 'The last lines of the log tell more.',
    tail: ['Error: POSTGRES_URL is not defined'],
  });
  assert.match(buildFailure(error), /the variable POSTGRES_URL: set it under Variables, for builds too/);
  assert.match(buildFailure(error, ['POSTGRES_URL']), /The last lines of the log tell more/);
});
