import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AskedVariable } from '@paddock/builder';
import { crashLoop, doubtfulEnd, earlyCrashMessage, startFailure } from './failure-messages.ts';

const limits = { memory_mb: 512, disk_mb: 1024 };
const exit = (code: number) => ({
  kind: 'exited' as const,
  exit: { code, signal: null, oom: false, disk_full: false, at: '2026-01-01T00:00:00Z' },
});
const says = (
  tail: string[],
  more: { set?: string[]; asked?: AskedVariable[]; lacks?: { name: string; because: string }[]; code?: number } = {},
) => startFailure(exit(more.code ?? 1), { limits, budgetSeconds: 120, tail, ...more }).split('\n\nLast lines:')[0]!;

const texts: [what: string, tail: string[], message: RegExp][] = [
  ['a module', ["ModuleNotFoundError: No module named 'flurb'"], /The module 'flurb' is missing: add it to the dependencies/],
  [
    'a package of Google Cloud',
    ['    from google.cloud import tasks_v2', "ModuleNotFoundError: No module named 'google'"],
    /The module 'google\.cloud' is missing: add google-cloud-tasks to the dependencies/,
  ],
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
    'a module that the installed version of a package lacks',
    ["ModuleNotFoundError: No module named 'deskkit.server.apps'"],
    /missing, though deskkit\.server is there\. If it is of a package, pin the version/,
  ],
  ['what newer versions of setuptools lack', ["ModuleNotFoundError: No module named 'pkg_resources'"], /add setuptools<81 to the dep/],
  [
    'a file that the build should have made',
    ["Error: Cannot find module '/app/dist/index.js'", "  code: 'MODULE_NOT_FOUND',"],
    /The file \/app\/dist\/index\.js is not there/,
  ],
  ['a program', ['exec: ./ai: No such file or directory'], /The program \.\/ai is not there/],
  ['a program of the shell', ['sh: 1: exec: gunicorn: not found'], /The program gunicorn is not there/],
  ['a system library', ['ImportError: libGL.so.1: cannot open shared object file: No such file'], /The system library libGL\.so\.1/],
  ['a terminal', ['    q = input("You: ")', 'EOFError: EOF when reading a line'], /asks for input on a terminal/],
];
for (const [what, tail, message] of texts) test(`an agent that misses ${what} is told so`, () => assert.match(says(tail), message));

test('what the Dockerfile installs and the machine lacks is named when the start fails for want of it', () => {
  const lacks = [
    { name: 'ffmpeg', because: 'Dockerfile:4' },
    { name: 'libgl1-mesa-glx', because: 'Dockerfile:5' },
  ];
  const program = ["FileNotFoundError: [Errno 2] No such file or directory: 'ffmpeg'"];
  assert.match(says(program, { lacks }), /The program ffmpeg is not on this machine: .* install ffmpeg, as Dockerfile:4 does\./);
  assert.match(says(program), /The program ffmpeg is not on this machine: do without it, or ask the operator to install it\./);
  assert.match(says(['Error: spawn pdftotext ENOENT']), /The program pdftotext .* install it \(Debian: poppler-utils\)\./);
  const library = ['ImportError: libGL.so.1: cannot open shared object file: No such file or directory'];
  assert.match(says(library, { lacks }), /The system library libGL\.so\.1 .* install libgl1-mesa-glx, as Dockerfile:5 does\./);
  assert.match(says(library), /install it \(Debian: libgl1\)\./);
  // The agent's own file is not a program.
  const file = says(["FileNotFoundError: [Errno 2] No such file or directory: 'config/desk.json'"], { lacks, asked: reads('DESK_KEY') });
  assert.match(file, /It opens config\/desk\.json, which neither the archive nor the build has: .* Its files also ask for DESK_KEY/);
  assert.match(says(["Error: ENOENT: no such file or directory, open '/app/desk.json'"]), /It opens desk\.json, which neither/);
  // A file that was tried before the relevant error.
  const tried = ["FileNotFoundError: [Errno 2] No such file or directory: 'a.json'", 'ValueError: bad name'];
  assert.doesNotMatch(says(tried), /It opens/);
});

test('an agent whose heap is full is told how much memory it has, though Node ended it and not the kernel', () => {
  const tail = ['FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory'];
  assert.match(says(tail, { code: 134 }), /used more than its 512 MB of memory.*raise PADDOCK_AGENT_MEMORY_MB/);
});

test('an agent that went on after its error and never listened is told the cause, and nothing of ports', () => {
  const silent = { kind: 'timeout' as const, listening: [], onlyIpv6Loopback: false, lastProblem: undefined };
  const tail = ['ValueError: DESK_SECRET is not set'];
  const said = startFailure(silent, { limits, budgetSeconds: 120, tail, asked: reads('DESK_SECRET') }).split('\n\n')[0];
  assert.match(
    said ?? '',
    /did not listen on any port within 120 s; its output says “ValueError: .*”\. It seems to need the variable DESK_SECRET/,
  );
  assert.doesNotMatch(said ?? '', /type: worker|start_budget/);
});

test('the address of a database under another name comes with a database where the archive reads that name, else a person copies it', () => {
  assert.match(says(["KeyError: 'DB_URL'"], { asked: reads('DB_URL') }), /DB_URL: deploy with a database, which sets DB_URL\./);
  assert.match(
    says(["KeyError: 'DB_URL'"]),
    /set it under Variables and redeploy; a database of Paddock has its address under Databases\./,
  );
});

test('codes of errors are not taken for variables, nor are variables that are set', () => {
  for (const line of ["code: 'ERR_MODULE_NOT_FOUND' is required", 'Error: NODE_OPTIONS must be set', 'Error: missing EADDRINUSE'])
    assert.match(says([line]), /Look at the last lines/, line);
  assert.match(says(['Error: the API_KEY environment variable is invalid'], { set: ['API_KEY'] }), /Look at the last lines/);
});

const reads = (...names: string[]): AskedVariable[] =>
  names.map((name, n) => ({ name, required: true, secret: false, at: `main.py:${n + 1}` }));

/** The message without the agent's own output. */
const advice = (tail: string[]) => says(tail).replace(/“[^”]*”/, '');

test('words in capitals that nothing reads are no variables: codes of errors of Google, gRPC and c-ares', () => {
  for (const line of [
    'google.api_core.exceptions.PermissionDenied: 403 PERMISSION_DENIED: the credential is missing',
    'Error: reason: API_KEY_INVALID, the api key is not valid. Please set the GOOGLE_KEY environment variable to API_KEY_INVALID',
    'DNS resolution failed: ARES_SUCCESS, environment variable empty',
    'Error: HTTP_STATUS must be set, RESOURCE_EXHAUSTED',
  ])
    assert.doesNotMatch(advice([line]), /PERMISSION_DENIED|API_KEY_INVALID|ARES_SUCCESS|HTTP_STATUS|RESOURCE_EXHAUSTED/, line);
  // Unless the source reads a variable of that name.
  assert.match(says(['Error: API_KEY_INVALID must be set'], { asked: reads('API_KEY_INVALID') }), /the variable API_KEY_INVALID: set it/);
});

test('a line of the source names what it reads, not what it assigns to', () => {
  const line = "    DESK_KEY = os.environ['DJANGO_DESK_KEY']";
  assert.match(advice([line, "KeyError: 'DJANGO_DESK_KEY'"]), /It seems to need the variable DJANGO_DESK_KEY: /);
  const ofNode = 'const DESK_KEY = required(process.env.BELL_KEY, "BELL_URL is missing")';
  assert.match(advice([ofNode, 'Error: BELL_KEY is missing in the environment variables']), /variables? BELL_KEY(?:, BELL_URL)?: /);
});

test('a name without any sign of a variable counts only if the archive reads it', () => {
  const line = 'Error: SEARCH_DESK must be given';
  assert.doesNotMatch(advice([line]), /SEARCH_DESK/);
  assert.match(says([line], { asked: reads('SEARCH_DESK') }), /needs? the variable SEARCH_DESK: set it under Variables/);
  assert.match(says(['ValueError: TOKEN is not set'], { asked: reads('TOKEN') }), /needs? the variable TOKEN: set it/);
});

test('one message names all variables: what the output misses, and what else is required and not set', () => {
  const message = says(["KeyError: 'A_KEY'"], { asked: reads('A_KEY', 'B_TOKEN', 'C_URL', 'D_SET'), set: ['D_SET'] });
  assert.match(message, /It seems to need the variable A_KEY: set it under Variables and redeploy\. /);
  assert.match(message, /Its files also ask for B_TOKEN \(main\.py:2\), C_URL \(main\.py:3\), which are not set\.$/);
});

test('a value that the source names as an attribute is the variable that sets it, and comes before all that is asked for', () => {
  const asked = ['OTHER_KEY', 'DESK_URL'].map((name) => ({ name, required: name === 'OTHER_KEY', secret: true, at: 'settings.py:4' }));
  for (const tail of [
    ['  File "/app/api.py", line 40, in <module>', '    assert settings.desk_url', 'AssertionError'],
    ['    raise DeskError(f"{name} is required")', 'desk.client.DeskError: desk_url is required'],
  ])
    assert.match(
      says(tail, { asked }),
      /It seems to need the variable DESK_URL: .*also ask for OTHER_KEY \(settings\.py:4\), which is not set\.$/,
    );
});

test('a program that asks on a terminal is told which variables its files ask for', () => {
  const asked = [{ name: 'BOT_TOKEN', required: true, secret: true, at: 'main.py:3' }];
  const tail = ['    TOKEN = input("Token: ")', 'EOFError: EOF when reading a line'];
  assert.match(
    says(tail, { asked }),
    /asks for input on a terminal.* Its files also ask for BOT_TOKEN \(main\.py:3\), which is not set\.$/,
  );
});

test('a module that cannot be imported comes before variables', () => {
  const asked = reads('A_KEY');
  for (const line of [
    "ModuleNotFoundError: No module named 'desk'",
    "ImportError: cannot import name 'Desk' from 'desks.wood' (/app/.venv/lib/python3.11/site-packages/desks/wood.py)",
  ]) {
    const message = says(["warning: A_KEY is not set, KeyError: 'A_KEY'", line], { asked });
    assert.match(message, /desk/);
    assert.doesNotMatch(message.replace(/ Its files also ask for .*/, ''), /A_KEY/);
  }
});

test('fields of settings count without their headline, where other errors follow from them', () => {
  const tail = [
    'db_url',
    '  Field required [type=missing, input_value={}, input_type=dict]',
    '',
    "AttributeError: 'NoneType' object has no attribute 'url'",
  ];
  assert.match(says(tail, { asked: reads('DB_URL') }), /needs? the variable DB_URL: deploy with a database/);
});

test('fields of settings classes are named as their variables, with the prefix that the source gives', () => {
  const tail = ['ValidationError: 1 validation error for Desk', 'search_url', '  Field required [type=missing]'];
  assert.match(says(tail, { asked: reads('DESK_SEARCH_URL') }), /the variable DESK_SEARCH_URL: set it/);
  assert.doesNotMatch(says(tail), /SEARCH_URL/);
});

test('a crash loop and a crash in the first minute ask for variables too', () => {
  const about = { limits, tail: ['boom'], asked: reads('A_KEY') };
  assert.match(crashLoop(exit(1).exit, { ...about, restarts: 5 }), /A_KEY \(main\.py:1\) is not set/);
  assert.match(earlyCrashMessage(exit(1).exit, 3, { ...about, tail: ["KeyError: 'A_KEY'"] }), /It seems to need the variable A_KEY/);
});

test('a job that ended with 0 is doubted only after errors, and while a required variable is not set', () => {
  const asked = reads('A_KEY');
  const tail = ['Error: 401 from the desk', 'done'];
  assert.match(
    doubtfulEnd({ tail, asked }) ?? '',
    /ended with exit code 0, but its output tells of errors\. It may miss a variable: A_KEY/,
  );
  assert.equal(doubtfulEnd({ tail, asked, set: ['A_KEY'] }), undefined);
  const unreached = doubtfulEnd({ tail: ['[ERROR]: Error: getaddrinfo ENOTFOUND discord.com'], asked }) ?? '';
  assert.match(unreached, /It calls discord\.com, which this machine does not reach/);
  assert.doesNotMatch(unreached, /A_KEY/);
  assert.equal(doubtfulEnd({ tail: ['0 errors', 'done'], asked }), undefined);
});

test('an error in colours is quoted without them, and a key of a configuration that does not exist is a variable', () => {
  const esc = '\u001b';
  const message = startFailure(exit(1), {
    limits,
    budgetSeconds: 120,
    tail: [`${esc}[31m[Desk] 19 - ERROR${esc}[39m ${esc}[38;5;3m[Handler] ${esc}[39mTypeError: Configuration key "DB_HOST" does not exist`],
    asked: reads('DB_HOST'),
  });
  assert.doesNotMatch(message, /\u001b|\[39m/);
  assert.match(message, /It seems to need the variable DB_HOST/);
});

test('an agent whose last error is of the network is told so, and not asked for variables', () => {
  const asked = reads('SPARE_KEY');
  const host = says(['Error: getaddrinfo ENOTFOUND api.desk.example'], { asked });
  assert.match(host, /It calls api\.desk\.example, a name that is not known here\./);
  const long = `desk.ConnectionError: Connection error caused failure. ${'x'.repeat(300)} MaxRetryError('HTTPSConnectionPool(host=\\'hub.desk.example\\', port=443): Max retries exceeded (Caused by NameResolutionError("Failed to resolve"))')`;
  assert.match(says([long], { asked }), /It calls hub\.desk\.example, a name that is not known here\./);
  assert.match(says(['desk.NetworkError: [Errno -2] Name or service not known'], { asked }), /calls a host whose name is not known here/);
  assert.match(says(['Error: connect ECONNREFUSED 127.0.0.1:8000'], { asked }), /Nothing answers at the address that it calls\./);
  assert.doesNotMatch(host, /SPARE_KEY/);
});

for (const [what, line, variable] of [
  ['PostgreSQL', 'psycopg.OperationalError: connection to server at "127.0.0.1", port 5432 failed: Connection refused', 'DATABASE_URL'],
  ['PostgreSQL', "OSError: Multiple exceptions: [Errno 111] Connect call failed ('127.0.0.1', 5432)", 'DATABASE_URL'],
  ['Redis', 'Error: connect ECONNREFUSED 127.0.0.1:6379', 'REDIS_URL'],
] as const)
  test(`an agent that ends with “${line.slice(0, 40)}…” is told of its database`, () =>
    assert.match(says([line]), new RegExp(`expects a ${what} that is not there\\. Deploy with a database and let it read ${variable}`)));

test('an agent that reads the parts of an address is told which of them a database sets', () => {
  const asked = reads('DB_HOST', 'DB_PASSWORD', 'SPARE_KEY');
  assert.match(
    says(['Error: connect ECONNREFUSED 127.0.0.1:5432'], { asked }),
    /Deploy with a database, which sets DB_HOST, DB_PASSWORD, or set/,
  );
  assert.match(says(['Error: connect ECONNREFUSED 127.0.0.1:6379'], { asked }), /Deploy with a database and let it read REDIS_URL/);
});

test('a job that ended with 0 for want of a module is told of the module before its variables', () => {
  const doubt = doubtfulEnd({ tail: ["ModuleNotFoundError: No module named 'flurb'"], asked: reads('A_KEY') });
  assert.match(doubt ?? '', /exit code 0, but its output tells of errors\. The module 'flurb' is missing/);
});

test('an error in words of its own is quoted where no other is', () => {
  const tail = ['Loading …', "Configuration error: Error instantiating agent clerk: module 'desk' has no attribute 'Clerk'", 'bye'];
  assert.match(says(tail), /its output says “Configuration error: Error instantiating agent clerk/);
});

test('the error that ended an agent is in the first sentence, and is not said again where the next step names it', () => {
  const tail = [
    'Traceback (most recent call last):',
    '  File "/app/main.py", line 4, in <module>',
    'ImportError: cannot import name Engine',
  ];
  const { exit: ended } = exit(1);
  const error = '; its output says “ImportError: cannot import name Engine”. ';
  assert.ok(says(tail).startsWith(`Start failed: the agent ended with exit code 1 before it was ready${error}Look at`), says(tail));
  assert.ok(
    earlyCrashMessage(ended, 9, { limits, tail }).startsWith(`Start failed: the agent exited with code 1${error}It had become active and`),
  );
  const loop = crashLoop(ended, { limits, tail, restarts: 5 });
  assert.ok(
    loop.startsWith(`The agent crashed 5 times in 10 minutes and is not restarted any more: the agent exited with code 1${error}Look`),
    loop,
  );
  assert.doesNotMatch(says(["ModuleNotFoundError: No module named 'kit'"]), /its output says/);
  const silent = { kind: 'timeout' as const, listening: [], onlyIpv6Loopback: false, lastProblem: undefined };
  const late = startFailure(silent, { limits, budgetSeconds: 7, tail });
  assert.match(late, /^Start failed: the agent did not listen on any port within 7 s; its output says “ImportError: .*”\. Let it listen/);
});
