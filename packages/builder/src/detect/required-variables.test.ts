import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asked, required } from '../../test/asked-variables.ts';

test('tests, documents, examples, vendored and installed code are not the agent, nor is code of another language', async () => {
  const read = 'import os\nos.environ["A_KEY"]\n';
  const aside = ['tests/a.py', 'docs/a.py', 'examples/a.py', 'vendor/a.py', 'venv/lib/a.py', '.github/a.py', 'test_a.py', 'a_test.py'];
  const others = Object.fromEntries(aside.map((path) => [path, read.replace('A_KEY', 'NEVER_KEY')]));
  assert.deepEqual(await required({ ...others, 'web/app.js': 'process.env.WEB_KEY', 'a.py': read }), ['A_KEY']);
});

test('the variable of a client library counts when the library is a dependency and the source uses it without a key', async () => {
  const bare = { 'main.py': 'from openai import OpenAI\nOpenAI()\n' };
  assert.deepEqual(await required(bare, { packages: ['openai'] }), ['OPENAI_API_KEY']);
  assert.deepEqual(await asked(bare), []);
  assert.deepEqual(await asked({ 'main.py': 'print(1)\n' }, { packages: ['openai'] }), []);
  assert.deepEqual(await required({ 'main.py': 'from openai import OpenAI\nOpenAI(api_key=load())\n' }, { packages: ['openai'] }), []);
  const node = { 'main.js': "import Anthropic from '@anthropic-ai/sdk';\nnew Anthropic();" };
  assert.deepEqual(await required(node, { language: 'node', packages: ['@anthropic-ai/sdk'] }), ['ANTHROPIC_API_KEY']);
});

test('values are shown where they are harmless, and never of secrets, of placeholders or with a login in them', async () => {
  const example = 'A_KEY=abcdef0123456789\nMODEL=small-1\nSTORE_URL=https://me:word@store.example\nNAME=<your name>\n';
  assert.deepEqual(
    (await asked({ '.env.example': example })).map(({ name, example: value }) => [name, value]),
    [
      ['A_KEY', undefined],
      ['STORE_URL', undefined],
      ['MODEL', 'small-1'],
      ['NAME', undefined],
    ],
  );
});

test('the account that a secret belongs to is required as the secret is', async () => {
  const read = 'import os\nsid = os.getenv("LINE_ACCOUNT_SID")\ntoken = os.getenv("LINE_AUTH_TOKEN")\nroom = os.getenv("LINE_ROOM")\n';
  assert.deepEqual(await required({ 'main.py': read }), ['LINE_ACCOUNT_SID', 'LINE_AUTH_TOKEN']);
});

test('of the address of a database the driver is kept, and the login of its example is not', async () => {
  const settings = 'from pydantic_settings import BaseSettings\n\nclass Settings(BaseSettings):\n    database_url: str = ';
  const [url] = await asked({ 'config.py': `${settings}"postgresql+asyncpg://me:word@localhost:5432/desk"\n` });
  assert.deepEqual([url?.name, url?.example], ['DATABASE_URL', 'postgresql+asyncpg://localhost:5432/desk']);
  const [named] = await asked({
    'main.py': 'import os\nengine = make(os.environ["DATABASE_URL"])\n',
    '.env.example': 'DATABASE_URL=postgresql+asyncpg://user:password@localhost:5432/desk\n',
  });
  assert.deepEqual([named?.name, named?.required, named?.example], ['DATABASE_URL', true, 'postgresql+asyncpg://']);
});

test('the example file nearest to the top counts, whatever it is called', async () => {
  for (const name of [
    '.env.example',
    'env.example',
    '.env.sample',
    '.env.template',
    'example.env',
    '.env.local.example',
    'config/.env.example',
  ])
    assert.deepEqual(await required({ [name]: 'A_KEY=\n', 'web/ui/.env.example': 'NEVER_KEY=\n' }), ['A_KEY'], name);
});

test('what the source gives a default is not required because an example file leaves it empty', async () => {
  const files = { '.env.example': 'MODEL=\nROOM=\n', 'main.py': 'import os\nos.getenv("MODEL", "small")\nos.getenv("ROOM")\n' };
  assert.deepEqual(await required(files), ['ROOM']);
});

test('a list that is too long loses optional variables first', async () => {
  const optional = Array.from({ length: 80 }, (_, n) => `os.getenv("A_${n}", "x")\n`).join('');
  const all = await asked({ 'main.py': `import os\n${optional}os.environ["LAST_KEY"]\n` });
  assert.equal(all.length, 60);
  assert.equal(all[0]?.name, 'LAST_KEY');
  assert.equal(all[0]?.at, 'main.py:82');
});

test('a group of nested settings is asked for whole: what an example file sets beside what is needed', async () => {
  const files = { 'main.py': 'print(1)\n', '.env.example': 'MODEL__TYPE=plain\nMODEL__KEY=\nCACHE__SIZE=3\n' };
  assert.deepEqual(await required(files), ['MODEL__TYPE', 'MODEL__KEY']);
});

test('a list of required names does not count where a settings class has a value in reserve', async () => {
  const settings = 'from pydantic_settings import BaseSettings\nclass S(BaseSettings):\n    DB_USER: str | None = None\n';
  const check = 'import os\nrequired_vars = ["DB_USER", "DB_WORD"]\nmissing = [one for one in required_vars if not os.getenv(one)]\n';
  assert.deepEqual(await required({ 'settings.py': settings, 'db.py': check }), ['DB_WORD']);
});

test('names with small letters count where the source reads them or an example file sets them', async () => {
  const node = {
    'bot.ts': "const token = process.env.BotToken;\nconst own = process.env.npm_package_name ?? '';\n",
    '.env.example': 'BotToken=\nplain=1\n# Higher = slower\n',
  };
  assert.deepEqual(
    (await asked(node, { language: 'node' })).map(({ name, secret }) => [name, secret]),
    [['BotToken', true]],
  );
  assert.deepEqual(await required({ 'README.md': '| `user_id` | `UserToken` |\n' }), []);
});

test('a reader of secrets with a letter before “env” reads a variable', async () => {
  const source = 'import os\nclass Config:\n    def load(self):\n        self.word = self.__senv("DESK_WORD", lambda: "x")\n';
  assert.deepEqual(
    (await asked({ 'config.py': source })).map(({ name }) => name),
    ['DESK_WORD'],
  );
});

test('the key of the one provider whose models the source names is needed, and none of several', async () => {
  const main = (...models: string[]) => ({ 'main.py': models.map((model) => `MODEL = "${model}"\n`).join('') });
  const pydantic = { packages: ['pydantic-ai'] };
  assert.deepEqual(await required(main('anthropic:claude-small'), pydantic), ['ANTHROPIC_API_KEY']);
  assert.deepEqual(await required(main('anthropic:claude-small', 'openai:gpt-small'), pydantic), []);
  assert.deepEqual(await required(main('anthropic/claude-small'), pydantic), [], 'written for another library');
  assert.deepEqual(await required(main('groq/llama-small'), { packages: ['litellm'] }), ['GROQ_API_KEY']);
  assert.deepEqual(await required(main('anthropic:claude-small')), [], 'without such a library');
});

test('of very many variables secrets and addresses of databases are kept before settings', async () => {
  const names = Array.from({ length: 80 }, (_, index) => `DIAL_${String.fromCharCode(65 + (index % 26))}${index}`);
  const source = [...names, 'PG_HOST', 'DESK_TOKEN'].map((name) => `os.getenv("${name}", "1")`).join('\n');
  const found = (await asked({ 'main.py': `import os\n${source}\n` })).map(({ name }) => name);
  assert.deepEqual([found.length, found.includes('PG_HOST'), found.includes('DESK_TOKEN')], [60, true, true]);
});

test('of several variables one of which is enough, the first alone is required', async () => {
  const source = 'const key = process.env.ONE_API_KEY || process.env.TWO_API_KEY ?? process.env.THREE_API_KEY;\nconsole.log(key);\n';
  assert.deepEqual(await required({ 'index.js': source }, { language: 'node' }), ['ONE_API_KEY']);
  const python = 'import os\nkey = os.getenv("ONE_API_KEY") or os.getenv("TWO_API_KEY") or os.getenv("THREE_API_KEY")\n';
  assert.deepEqual(await required({ 'main.py': python }), ['ONE_API_KEY']);
});

test('an address that is read without a default is required as the key of the same service is', async () => {
  const read = (...names: string[]) => names.map((name) => `${name.toLowerCase()} = os.getenv("${name}")\n`).join('');
  const source = `import os\n${read('SUPABASE_URL', 'SUPABASE_KEY', 'OPENAI_BASE_URL', 'OPENAI_API_KEY', 'HOME_URL')}q = os.getenv("QDRANT_URL", "http://localhost")\nk = os.getenv("QDRANT_API_KEY")\n`;
  assert.deepEqual((await required({ 'main.py': source })).toSorted(), [
    'OPENAI_API_KEY',
    'QDRANT_API_KEY',
    'SUPABASE_KEY',
    'SUPABASE_URL',
  ]);
});

test('an address that a connection is made of as the program is loaded is required', async () => {
  const read =
    'import os\nfrom sqlalchemy import create_engine\naddress = os.getenv("STORE_URL")\nengine = create_engine(address)\n' +
    'other = create_engine(os.getenv("LEDGER_URL"))\nlocal = create_engine(os.getenv("CACHE_URL", "sqlite://"))\n' +
    'def later():\n    return create_engine(os.getenv("LATER_URL"))\n';
  assert.deepEqual(await required({ 'main.py': read }), ['STORE_URL', 'LEDGER_URL']);
});

test('the keys of services that a setting does not choose by default are not required', async () => {
  const config =
    'import os\nLLM_PROVIDER = os.getenv("LLM_PROVIDER", "groq")\nGROQ_API_KEY = os.getenv("GROQ_API_KEY", "")\n' +
    'OPENROUTER_API_KEY = os.getenv("OPENROUTER_API_KEY", "")\nTELEGRAM_BOT_TOKEN = os.getenv("TELEGRAM_BOT_TOKEN")\n';
  const use =
    'from config import *\nif LLM_PROVIDER == "openrouter":\n    if not OPENROUTER_API_KEY:\n        raise RuntimeError()\n' +
    'elif not GROQ_API_KEY:\n    raise RuntimeError()\n';
  assert.deepEqual(await required({ 'config.py': config, 'main.py': use }), ['GROQ_API_KEY', 'TELEGRAM_BOT_TOKEN']);
  assert.deepEqual(await required({ 'config.py': config.replace(', "groq"', ''), 'main.py': use }), [
    'GROQ_API_KEY',
    'OPENROUTER_API_KEY',
    'TELEGRAM_BOT_TOKEN',
  ]);
  const node =
    "const provider = process.env.AI_PROVIDER ?? 'openai';\nif (provider === 'anthropic') use(process.env.ANTHROPIC_API_KEY);\n" +
    'else use(process.env.OPENAI_API_KEY);\n';
  assert.deepEqual(await required({ 'main.js': node }, { language: 'node' }), ['OPENAI_API_KEY']);
});

test('a variable that is used only if it is set is not required, and one whose absence ends the program is', async () => {
  const read = (name: string, otherwise: string) =>
    `import os\nkey = os.getenv("${name}", "")\nif key:\n    headers = {"Cookie": key}\n    more = 1\nelse:\n    ${otherwise}\n`;
  assert.deepEqual(await required({ 'main.py': read('A_TOKEN', 'print("none")') }), []);
  assert.deepEqual(await required({ 'main.py': read('A_TOKEN', 'raise RuntimeError("none")') }), ['A_TOKEN']);
});

test('a variable of the reader’s own shell, which a later line of the same code block of the README uses, is none of the agent', async () => {
  const readme =
    '# Desk\n\n```sh\nAPI_KEY="default-dev-key"\ncurl -H "X-Key: $API_KEY" localhost\n```\n\n```sh\nDESK_KEY=<key>\npython main.py\n```\n';
  assert.deepEqual(await required({ 'README.md': readme }), ['DESK_KEY']);
});

test('a variable that a script reads which the start does not load is as necessary as the start needs it', async () => {
  const read = 'import os\nkey = os.getenv("DESK_KEY")\n';
  const tree = { 'main.py': `${read}print(key)\n`, 'rag.py': `${read}if __name__ == "__main__":\n    print(key)\n` };
  const all = await asked(tree, { other_scripts: ['rag.py'] });
  assert.deepEqual(
    all.map(({ name, required: isRequired }) => [name, isRequired]),
    [['DESK_KEY', true]],
  );
});

test('a key is a secret also where its service stands behind it', async () => {
  const read = 'import os\nos.environ["API_KEY_GEMINI"]\nos.environ["API_KEY_LIMIT"]\nos.environ["ACCESS_TOKEN_EXPIRE_MINUTES"]\n';
  const all = await asked({ 'main.py': read });
  assert.deepEqual(
    all.map(({ name, secret }) => [name, secret]),
    [
      ['API_KEY_GEMINI', true],
      ['API_KEY_LIMIT', false],
      ['ACCESS_TOKEN_EXPIRE_MINUTES', false],
    ],
  );
});

test('what a comment calls optional, or the source goes on without, is not required', async () => {
  const tool = 'import os\ndef search():\n    key = os.getenv("BRAVE_API_KEY", "")\n    if not key:\n        return {}\n    return key\n';
  assert.deepEqual(await required({ 'main.py': tool }), []);
  const plain = { 'main.py': 'import os\nkey = os.getenv("SERP_API_KEY")\n' };
  assert.deepEqual(await required(plain), ['SERP_API_KEY']);
  assert.deepEqual(await required({ ...plain, '.env.example': '# Optional: better search\nSERP_API_KEY=\n' }), []);
});

test('several variables that one condition checks, or one list names, are all required', async () => {
  const checked = "if (!process.env.CHAT_MODEL || !process.env.SIDE_MODEL) throw new Error('set both');\n";
  const held = "const sid = process.env.LINE_SID;\nconst from = process.env.LINE_FROM;\nif (!sid || !from) throw new Error('set both');\n";
  const list = "const REQUIRED_ENV_VARS = ['DESK_URL', 'DESK_ROOM'];\n";
  assert.deepEqual(await required({ 'main.js': `${checked}${held}${list}process.env.PATH;\n` }, { language: 'node' }), [
    ...['CHAT_MODEL', 'SIDE_MODEL', 'LINE_SID', 'LINE_FROM', 'DESK_URL', 'DESK_ROOM'],
  ]);
  const port = 'listen(parseInt(process.env.DB_PORT!, 10) || 5432);\n';
  assert.deepEqual(await asked({ 'main.ts': port }, { language: 'node' }), [
    { name: 'DB_PORT', required: false, secret: false, at: 'main.ts:1', example: '5432' },
  ]);
});

test('what Chainlit and Prisma need by themselves is required', async () => {
  const page = 'import chainlit as cl\n\n@cl.oauth_callback\ndef enter(provider_id):\n    return provider_id == "google"\n';
  assert.deepEqual(await required({ 'main.py': page }), ['CHAINLIT_AUTH_SECRET', 'OAUTH_GOOGLE_CLIENT_ID', 'OAUTH_GOOGLE_CLIENT_SECRET']);
  const schema =
    'datasource db {\n  provider = "postgresql"\n  url      = env("DATABASE_URL")\n  shadowDatabaseUrl = env("SHADOW_URL")\n}\n';
  assert.deepEqual(await required({ 'main.js': '', 'prisma/schema.prisma': schema }, { language: 'node' }), ['DATABASE_URL']);
  assert.deepEqual(await required({ 'main.py': '', 'web/prisma/schema.prisma': schema }), []);
});

test('the cases of a switch and flags that are off choose as comparisons do', async () => {
  const node =
    "switch (process.env.STATE_ADAPTER || 'file') {\n  case 'redis': use(process.env.REDIS_PASSWORD); break;\n  case 'file': use(process.env.FILE_TOKEN);\n}\n";
  assert.deepEqual(await required({ 'main.js': node }, { language: 'node' }), ['FILE_TOKEN']);
  const flags = { '.env.example': 'MONGO_ENABLED=False\nMONGO_URL=\nGEMINI_ENABLED=True\nAPI_KEY_GEMINI=\n' };
  assert.deepEqual(await required(flags), ['API_KEY_GEMINI']);
});

test('a table of providers that a setting chooses from leaves out the others', async () => {
  const table =
    'import os\nLLM_PROVIDER = os.getenv("LLM_PROVIDER", "ollama")\n' +
    'models = {"ollama": local, "gemini": os.getenv("GEMINI_API_KEY"), "openai": os.getenv("OPENAI_API_KEY")}\nmodel = models[LLM_PROVIDER]\n';
  assert.deepEqual(await required({ 'main.py': table }), []);
  assert.deepEqual(await required({ 'main.py': table.replace('"ollama")', '"openai")') }), ['OPENAI_API_KEY']);
});

test('a name in quotes is no import in Python, nor is a module of the archive itself', async () => {
  const quoted = { 'main.py': 'MODELS = {"openai": "GPT"}\n' };
  assert.deepEqual(await required(quoted, { packages: ['openai'] }), []);
  const own = { 'main.py': 'from agents import desk\n', 'agents/__init__.py': '' };
  assert.deepEqual(await required(own, { packages: ['openai-agents'] }), []);
});

test('what nothing reads is required only if a library may know it by its name', async () => {
  const example = 'LLM_TOP_P=\nDESK_MODE=\nSEARCH_API_KEY=\nAZURE_ENDPOINT=\n';
  assert.deepEqual(await required({ '.env.example': example }), ['SEARCH_API_KEY', 'AZURE_ENDPOINT']);
});

test('code of another language in a README is no list of variables', async () => {
  const readme = '```python\nMY_API_KEY = settings.key\n```\n\n```\nDESK_KEY=<key>\n```\n\n```dotenv\nBELL_KEY=<key>\n```\n';
  assert.deepEqual(await required({ 'README.md': readme }), ['DESK_KEY', 'BELL_KEY']);
});

test('a variable of which a method is called as a file of Node is loaded is required, whatever an example holds', async () => {
  const example = { '.env.example': 'ROOMS=1,2\nMODEL=small\n' };
  const load = 'const rooms = process.env.ROOMS.split(",").map(Number);\nconst model = process.env.MODEL;\n';
  assert.deepEqual(await required({ ...example, 'main.js': load }, { language: 'node' }), ['ROOMS']);
  for (const other of [load.replace('.split', '?.split'), `if (process.env.ROOMS) use();\n${load}`, `function later() {\n  ${load}}\n`])
    assert.deepEqual(await required({ ...example, 'main.js': other }, { language: 'node' }), [], other);
  assert.deepEqual(await required({ 'main.js': load.replace('process', '() => process') }, { language: 'node' }), []);
});
