import assert from 'node:assert/strict';
import { test } from 'node:test';
import { required } from '../../../test/asked-variables.ts';

const node = { language: 'node' } as const;

test('a variable whose type or absence a condition compares before it throws is required', async () => {
  for (const check of [
    'if (typeof process.env.DESK_ROOM !== "string" || process.env.DESK_ROOM === "") {\n  throw new Error("none");\n}\n',
    "if (process.env.DESK_ROOM === undefined) throw new Error('none');\n",
    "if (!ready || typeof process.env.DESK_ROOM === 'undefined') {\n  process.exit(1);\n}\n",
  ])
    assert.deepEqual(await required({ 'main.js': `${check}const room = process.env.DESK_ROOM;\n` }, node), ['DESK_ROOM'], check);
  for (const check of [
    "if (process.env.DESK_ROOM === undefined) { use('hall'); }\n",
    "if (process.env.DESK_ROOM === undefined && isStrict) throw new Error('none');\n",
  ])
    assert.deepEqual(await required({ 'main.js': check }, node), [], check);
});

test('a reader that is named after what it requires makes a variable required', async () => {
  const source = { 'main.js': "import { getRequired } from './env.js';\nuse(getRequired('DESK_OWNER'));\n" };
  assert.deepEqual(await required(source, node), ['DESK_OWNER']);
});

test('a variable that a list of allowed values must have before it goes on is required', async () => {
  const check = (ends: string) => ({ 'main.js': `if (!modes.includes(process.env.DESK_MODE)) {\n  ${ends};\n}\n` });
  assert.deepEqual(await required(check("throw new Error('which?')"), node), ['DESK_MODE']);
  assert.deepEqual(await required(check("console.log('the usual one')"), node), []);
});

test('variables are read by any name that a source gives to the environment', async () => {
  for (const start of [
    'const { env } = process\n',
    "import { argv, env } from 'node:process';\n",
    'const env: NodeJS.ProcessEnv = process.env;\n',
    'const env = process.env\n',
  ])
    assert.deepEqual(
      await required(
        { 'main.js': `${start}const key = env.DESK_API_KEY || 'ENTER API KEY HERE'\nconst room = env.DESK_ROOM || 'hall'\n` },
        node,
      ),
      ['DESK_API_KEY'],
      start,
    );
  const named = "const { env: settings } = process;\nuse(settings['DESK_API_KEY'], other.settings.BELL_API_KEY, env.ROOM_API_KEY);\n";
  assert.deepEqual(await required({ 'main.js': named }, node), ['DESK_API_KEY']);
  assert.deepEqual(await required({ 'main.js': 'const env = load();\nuse(env.DESK_API_KEY);\n' }, node), []);
});

test('an empty text in reserve is enough for a setting, and not for a key or an address', async () => {
  const example = { '.env.example': 'DESK_ROOM=xxxx\nDESK_KEY=\nDATABASE_URL=\n' };
  const python = ['DESK_ROOM', 'DESK_KEY', 'DATABASE_URL'].map((name) => `os.getenv("${name}", "")\n`).join('');
  assert.deepEqual(await required({ ...example, 'main.py': `import os\n${python}` }), ['DESK_KEY', 'DATABASE_URL']);
  const script = "use(process.env.DESK_ROOM || '', process.env.DESK_KEY ?? '');\n";
  assert.deepEqual(await required({ '.env.example': 'DESK_ROOM=\n', 'main.js': script }, node), ['DESK_KEY']);
});

test('an error that its own handler catches does not make a variable required', async () => {
  const source = (handler: string) => ({
    'main.py': `import os
def connect():
    try:
        key = os.getenv("DESK_ROOM")
        if not key:
            raise ValueError("DESK_ROOM is not set")
        return use(key)
    ${handler}
connect()
`,
  });
  for (const handler of ['except ValueError as error:\n        print(error)', 'except Exception:\n        return None'])
    assert.deepEqual(await required(source(handler)), [], handler);
  for (const handler of [
    'except Exception as error:\n        print(error)\n        raise',
    'except Exception:\n        sys.exit(1)',
    'finally:\n        close()',
  ])
    assert.deepEqual(await required(source(handler)), ['DESK_ROOM'], handler);
});

test('the token of a bot is required where the last of its alternatives is empty', async () => {
  const read = (last: string) => ({ 'main.js': `bot.login(process.env.DISCORD_TOKEN || own?.token || ${last});\n` });
  assert.deepEqual(await required(read("''"), node), ['DISCORD_TOKEN']);
  assert.deepEqual(await required(read('stored()'), node), []);
});

test('a variable that only the set-up of a test runner sets is asked for', async () => {
  const files = { 'main.js': 'use(process.env.DESK_TOKEN);\n', 'jest.setup.js': "process.env.DESK_TOKEN = 'test';\n" };
  assert.deepEqual(await required(files, node), ['DESK_TOKEN']);
});

test('a number that is read without a default as the file is loaded is required', async () => {
  const source = (text: string) => ({ 'main.py': `import os\n${text}\n` });
  assert.deepEqual(await required(source('make(size=int(os.getenv("DESK_SIZE")), share=float(os.environ.get("DESK_SHARE")))')), [
    'DESK_SIZE',
    'DESK_SHARE',
  ]);
  assert.deepEqual(await required(source('import json\nall = json.loads(os.getenv("DESK_LIST"))')), ['DESK_LIST']);
  assert.deepEqual(await required(source('salt = os.getenv("DESK_SALT")\nassert len(salt) >= 16')), ['DESK_SALT']);
  assert.deepEqual(await required(source('size = int(os.getenv("DESK_SIZE", "3"))')), []);
  assert.deepEqual(await required(source('def later():\n    return int(os.getenv("DESK_SIZE"))')), []);
});

test('a reader that one file makes and another imports fails without a default', async () => {
  const source = (makes: string, reads: string) => ({
    'main.py': `from desk.parts import base, read\nroom = ${reads}\n`,
    'desk/parts.py': `base = 1\nread = ${makes}\n`,
    '.env.example': 'DESK_ROOM=hall\n',
  });
  for (const makes of ['AutoConfig(search_path=base)', 'environ.Env(DEBUG=(bool, False))', 'Env()']) {
    assert.deepEqual(await required(source(makes, 'read("DESK_ROOM")')), ['DESK_ROOM'], makes);
    assert.deepEqual(await required(source(makes, 'read("DESK_ROOM", default="hall")')), [], makes);
  }
  assert.deepEqual(await required(source('open', 'read("DESK_ROOM")')), []);
});

test('a random value in reserve is a default, another variable in reserve is not', async () => {
  const source = (text: string) => ({ 'main.py': `import os, secrets\n${text}\n`, '.env.example': 'DESK_SECRET_KEY=\n' });
  for (const value of ['os.urandom(24)', 'secrets.token_hex(16)', 'uuid4().hex'])
    assert.deepEqual(await required(source(`key = os.getenv("DESK_SECRET_KEY") or ${value}`)), [], value);
  assert.deepEqual(await required(source('key = os.getenv("DESK_SECRET_KEY") or os.getenv("BELL_SECRET_KEY")')), ['DESK_SECRET_KEY']);
});

test('a table of the README requires what its column for that says, not what is true by default', async () => {
  const readme = (rows: string) => ({ 'main.py': 'import os\nprint(os.environ[os.argv[1]])\n', 'README.md': rows });
  const byDefault = '| Variable | Default | Description |\n|---|---|---|\n| `DESK_QUIET` | true | yes or no |\n';
  assert.deepEqual(await required(readme(byDefault)), []);
  const byColumn = '| Variable | Default | Required |\n|---|---|---|\n| `DESK_QUIET` | true | no |\n| `DESK_NAME` | | yes |\n';
  assert.deepEqual(await required(readme(byColumn)), ['DESK_NAME']);
  assert.deepEqual(await required(readme('| Variable | Required\n|---|---\n| `DESK_NAME` | yes\n')), ['DESK_NAME'], 'without last bars');
  assert.deepEqual(await required(readme('| Variable | Notes |\n|---|---|\n| `DESK_NAME` | Required. The name |\n')), ['DESK_NAME']);
});

test('a credential in the letters of the source is one, with an empty text in reserve', async () => {
  assert.deepEqual(await required({ 'main.js': "login(process.env.Token || '');\n" }, node), ['Token']);
  assert.deepEqual(await required({ 'main.js': "login(process.env.DeskAIKey || '');\n" }, node), ['DeskAIKey']);
  assert.deepEqual(await required({ 'main.js': "paint(process.env.Colour || '');\n" }, node), []);
});
