import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asked, required } from '../../test/asked-variables.ts';

const node = { language: 'node' } as const;

test('what only a function needs that a model calls as a tool is not required in Node, unless a server of tools has nothing else', async () => {
  const check = "const key = process.env.WEATHER_API_KEY;\n  if (!key) throw new Error('set the key');\n";
  const tool = `const weather = createTool({\n  id: 'weather (now)',\n  execute: async () => {\n  ${check}}\n});\nconst main = process.env.MODEL_API_KEY!;\n`;
  assert.deepEqual(await required({ 'main.ts': tool }, node), ['MODEL_API_KEY']);
  assert.deepEqual(await required({ 'main.ts': `server.tool('weather', async () => {\n  ${check}});\n` }, node), ['WEATHER_API_KEY']);
  assert.deepEqual(await required({ 'main.ts': `${tool}function later() {\n  ${check}}\n` }, node), ['WEATHER_API_KEY', 'MODEL_API_KEY']);
});

test('what only a function needs that a model calls as a tool is not required in Python, unless a server of tools has nothing else', async () => {
  const body =
    '\n@cached\ndef weather(city: str):\n    key = os.environ["WEATHER_API_KEY"]\n    return key\n\nmain = os.environ["MODEL_API_KEY"]\n';
  for (const decorator of ['@tool', '@function_tool(strict=False)', '@agent.tool', '@desk.tool_plain'])
    assert.deepEqual(await required({ 'main.py': `import os\n${decorator}${body}` }), ['MODEL_API_KEY'], decorator);
  assert.deepEqual(await required({ 'main.py': `import os\n@mcp.tool()${body}` }), ['WEATHER_API_KEY', 'MODEL_API_KEY']);
});

test('a heading that calls what follows optional counts until the next one of its depth', async () => {
  const readme =
    '# Desk\n\n## Optional integrations\n\n```sh\nBELL_API_KEY=<key>\n```\n\n### Mail\n\n```sh\nMAIL_API_KEY=<key>\n```\n\n| Name | Meaning |\n|---|---|\n| `LAMP_KEY` | light |\n\n' +
    '## Setup\n\n```sh\nDESK_API_KEY=<key>\n```\n';
  const read = 'import os\nbell = os.getenv("BELL_API_KEY")\nuse(settings.desk_api_key)\n';
  assert.deepEqual(await required({ 'README.md': readme, 'main.py': read }), ['DESK_API_KEY']);
  assert.deepEqual((await asked({ 'README.md': readme })).map(({ name }) => name).toSorted(), [
    'BELL_API_KEY',
    'DESK_API_KEY',
    'LAMP_KEY',
    'MAIL_API_KEY',
  ]);
});

test('names in constants are read, also of another file, a class or an object', async () => {
  const keys = 'KEY_NAME = "DESK_API_KEY"\n\nclass Names(str, Enum):\n    URL: str = "DESK_STORE_URL"  # where it is kept\n';
  const read =
    'import os\nimport keys\nkey = os.environ[keys.KEY_NAME]\nurl = os.getenv(keys.Names.URL.value) or exit(1)\nother = os.environ[unknown]\n';
  assert.deepEqual(
    (await asked({ 'a/keys.py': keys, 'main.py': read })).map(({ name, at }) => [name, at]),
    [
      ['DESK_API_KEY', 'main.py:3'],
      ['DESK_STORE_URL', 'main.py:4'],
    ],
  );
  const script =
    "export const KEYS = { MAIN: 'DESK_API_KEY' };\nconst STORE = 'DESK_STORE_URL';\nuse(process.env[KEYS.MAIN]!, process.env[STORE]!);\n";
  assert.deepEqual(await required({ 'main.ts': script }, node), ['DESK_API_KEY', 'DESK_STORE_URL']);
});

test('a default of None that a strict reader is given makes a variable optional, and a placeholder as default does not', async () => {
  const decouple = 'from decouple import config\na = config("A_API_KEY", default=None)\nb = config("B_API_KEY")\n';
  assert.deepEqual(await required({ 'settings.py': decouple }), ['B_API_KEY']);
  const settings =
    'from pydantic_settings import BaseSettings\nclass S(BaseSettings):\n    BOT_TOKEN: str = "DEFAULT_TOKEN_FOR_TESTING"\n    DESK_TOKEN: str = "DEFAULT"\n';
  assert.deepEqual(await required({ 'settings.py': settings }), ['BOT_TOKEN']);
});

test('the database of Flask-SQLAlchemy is required where its address has no other', async () => {
  const config = (value: string) =>
    `import os\nclass Config:\n    SQLALCHEMY_DATABASE_URI = ${value}\n\ndef make(app):\n    app.config["SQLALCHEMY_DATABASE_URI"] = ${value.replace('STORE_URL', 'OTHER_URL')}\n`;
  assert.deepEqual(await required({ 'config.py': config('os.getenv("STORE_URL")') }), ['STORE_URL', 'OTHER_URL']);
  assert.deepEqual(await required({ 'config.py': config('os.getenv("STORE_URL") or "sqlite://"') }), []);
});

test('a key that a settings class leaves as None is required if the source uses its client alone', async () => {
  const settings = (more = '') =>
    `from pydantic_settings import BaseSettings\n\nclass Settings(BaseSettings):\n    openai_api_key: str | None = None\n    room: str | None = None\n${more}`;
  const main = 'from openai import OpenAI\nfrom config import settings\nclient = OpenAI(api_key=settings.openai_api_key)\n';
  const openai = { packages: ['openai'] };
  assert.deepEqual(await required({ 'config.py': settings(), 'main.py': main }, openai), ['OPENAI_API_KEY']);
  assert.deepEqual(await required({ 'config.py': settings(), 'main.py': main }), [], 'the client is not installed');
  const both = `from anthropic import Anthropic\n${main}`;
  assert.deepEqual(await required({ 'config.py': settings(), 'main.py': both }, { packages: ['openai', 'anthropic'] }), []);
  const local = settings('    openai_base_url: str = "http://localhost:11434/v1"\n');
  assert.deepEqual(await required({ 'config.py': local, 'main.py': main }, openai), []);
  const optional = { 'config.py': settings(), 'main.py': main, '.env.example': '# Optional\nOPENAI_API_KEY=\n' };
  assert.deepEqual(await required(optional, openai), []);
});

test('of the keys of three model providers that stand side by side none alone is required', async () => {
  const read = (name: string) => `os.getenv("${name}_API_KEY")`;
  const names = ['OPENAI', 'ANTHROPIC', 'GROQ'];
  const table = `import os\nkeys = {${names.map((name) => `"${name}": ${read(name)}`).join(', ')}}\n`;
  assert.deepEqual(await required({ 'main.py': table }), []);
  assert.deepEqual(await required({ 'main.py': table.replace(`, "GROQ": ${read('GROQ')}`, '') }), ['OPENAI_API_KEY', 'ANTHROPIC_API_KEY']);
  const check = `key = ${read('GROQ')}\nif not key:\n    raise RuntimeError()\n`;
  assert.deepEqual((await required({ 'main.py': `${table}${check}` })).length, 3, 'one is checked');
  const inFunctions = `import os\n${names.map((name) => `def ${name.toLowerCase()}(key: str = ${read(name)}):\n    return Model(key)\n`).join('')}`;
  const chosen = 'from models import groq\nagent = Agent(model=groq())\n';
  assert.deepEqual(await required({ 'models.py': inFunctions, 'main.py': chosen }), ['GROQ_API_KEY']);
  const node = `const env = {${names.map((name) => `${name}_API_KEY: process.env.${name}_API_KEY`).join(', ')}};\n`;
  assert.deepEqual(await required({ 'main.js': node }, { language: 'node' }), []);
});

test('the keys of several model providers are required if clients get them in every run', async () => {
  const config = ['OPENAI', 'ANTHROPIC', 'GROQ'].map((name) => `${name}_API_KEY = os.getenv("${name}_API_KEY")\n`).join('');
  const clients =
    'import config\none = OpenAI(api_key=config.OPENAI_API_KEY)\n\nclass Panel:\n    def __init__(self):\n        self.two = Anthropic(config.ANTHROPIC_API_KEY)\n';
  const choice = 'if model == "groq":\n    one = Groq(api_key=config.GROQ_API_KEY)\n';
  const files = { 'config.py': `import os\n${config}`, 'main.py': `${clients}${choice}` };
  assert.deepEqual(await required({ ...files, 'run.py': 'from main import Panel\npanel = Panel()\n' }), [
    'OPENAI_API_KEY',
    'ANTHROPIC_API_KEY',
  ]);
  const node =
    'const { OPENAI_API_KEY, GROQ_API_KEY, MISTRAL_API_KEY } = process.env;\nconst one = new OpenAI({ apiKey: OPENAI_API_KEY });\n';
  assert.deepEqual(await required({ 'main.js': node }, { language: 'node' }), ['OPENAI_API_KEY']);
});

test('the check of a value in one function says nothing about a variable that another function held by the same name', async () => {
  const source =
    'import os\n\ndef one():\n    key = os.getenv("DESK_URL")\n    return key\n\ndef two(keys):\n    key = keys.get("other")\n    if not key:\n        raise RuntimeError()\n';
  assert.deepEqual(await required({ 'main.py': source }), []);
  assert.deepEqual(await required({ 'main.py': source.replace('keys.get("other")', 'self.key') }), ['DESK_URL']);
});

test('what only a part reads that a flag leaves off by default is not required', async () => {
  const read = '    url = os.environ["GRAPH_URL"]\n    key = os.getenv("GRAPH_KEY")\n';
  const held = (preset: string) => `import os\non = os.getenv("USE_DESK", "${preset}").lower() == "true"\nif on:\n${read}`;
  assert.deepEqual(await required({ 'main.py': held('false') }), []);
  assert.deepEqual(await required({ 'main.py': held('true') }), ['GRAPH_URL', 'GRAPH_KEY']);
  const direct = `import os\nif os.environ.get("USE_DESK", "0") in ("1", "true"):\n${read}`;
  assert.deepEqual(await required({ 'main.py': direct }), []);
  assert.deepEqual(await required({ 'main.py': direct.replace('in (', 'not in (') }), ['GRAPH_URL', 'GRAPH_KEY']);
  assert.deepEqual(await required({ 'main.py': `${held('false')}other = os.environ["GRAPH_URL"]\n` }), ['GRAPH_URL']);
});

test('an example file for another way to run the agent requires nothing beside the plain one, nor does a story of a page', async () => {
  const files = { '.env.example': 'DESK_KEY=\n', '.env.sso.example': 'SSO_SECRET=\nDESK_KEY=\n' };
  assert.deepEqual(await required(files), ['DESK_KEY']);
  assert.deepEqual(await required({ '.env.sso.example': 'SSO_SECRET=\n' }), ['SSO_SECRET']);
  assert.deepEqual(await required({ '.env.example': 'DESK_KEY=\n', '.env.local.example': 'LAMP_KEY=\n' }), ['DESK_KEY', 'LAMP_KEY']);
  assert.deepEqual(await asked({ 'src/desk.stories.tsx': 'show(process.env.STORY_SECRET);\n' }, node), []);
});

test('fields of a class of another file that a settings class has as a base are settings', async () => {
  const files = {
    'settings.py':
      'from pydantic_settings import BaseSettings\nfrom store import StorePart\n\nclass Settings(\n    StorePart,\n    BaseSettings,\n):\n    desk_key: str\n',
    'store.py': 'from pydantic import BaseModel\n\nclass StorePart(BaseModel):\n    redis_url: str | None = None\n    store_key: str\n',
    'other.py': 'from pydantic import BaseModel\n\nclass Other(BaseModel):\n    other_key: str\n',
    '.env.example': 'REDIS_URL=\n',
  };
  assert.deepEqual(await required(files), ['DESK_KEY', 'STORE_KEY']);
  assert.deepEqual(await required({ ...files, 'settings.py': files['settings.py'].replace('    StorePart,\n', '') }), [
    'DESK_KEY',
    'REDIS_URL',
  ]);
});

test('a property of a schema takes the need of the constant that describes it, and a converted one that of its schema', async () => {
  const schema =
    "import { z } from 'zod';\nconst pairSchema = z\n  .string()\n  .refine((value) => {\n    const one = value;\n    return one;\n  });\n" +
    "const listSchema = z.string().default('');\nexport const env = z.object({\n  DESK_PAIR: pairSchema,\n  DESK_LIST: listSchema,\n  OTHER_PAIR: otherSchema,\n" +
    '  DESK_ON: z.preprocess(\n    (value) => {\n      if (value === undefined) return true;\n      return value;\n    },\n    z.boolean().default(true),\n  ),\n  DESK_KEY: z.string(),\n}).parse(process.env);\n';
  assert.deepEqual(await required({ 'main.ts': schema }, node), ['DESK_PAIR', 'DESK_KEY']);
});

test('a client that is imported and used nowhere beside one that is used needs no key, nor does OpenAI’s where only Azure’s is made', async () => {
  const packages = { packages: ['openai', 'langchain-groq'] };
  const imports = 'from openai import OpenAI\nfrom langchain_groq import (\n    ChatGroq,\n)\none = OpenAI()\n';
  assert.deepEqual(await required({ 'main.py': `${imports}# two = ChatGroq()\n` }, packages), ['OPENAI_API_KEY']);
  assert.deepEqual(await required({ 'main.py': `${imports}two = ChatGroq()\n`.replaceAll('\n', '\r\n') }, packages), [
    'OPENAI_API_KEY',
    'GROQ_API_KEY',
  ]);
  const apart = { 'llm.py': imports, 'main.py': 'from llm import ChatGroq\ntwo = ChatGroq()\n' };
  assert.deepEqual(await required(apart, packages), ['OPENAI_API_KEY', 'GROQ_API_KEY']);
  const azure = 'from openai import AsyncAzureOpenAI\nclient = AsyncAzureOpenAI(api_version="1")\n';
  assert.deepEqual(await required({ 'main.py': azure }, packages), []);
  assert.deepEqual(await required({ 'main.py': `${azure}from openai import OpenAI\nother = OpenAI()\n` }, packages), ['OPENAI_API_KEY']);
});

test('a long chain of a schema is read to its default', async () => {
  const chain =
    "import { z } from 'zod';\nexport const env = z.object({\n  LAMP_LEVEL: z\n    .string()\n    .transform((value) => value.toUpperCase())\n    .pipe(\n      z.enum([\n        'LOW',\n        'HIGH',\n      ]),\n    )\n    .default('LOW'),\n  DESK_KEY: z.string(),\n  SEAL_KEY: z\n    .string()\n    .optional()\n    .refine(isSet, { message: 'SEAL_KEY is required in production' }),\n}).parse(process.env);\n";
  assert.deepEqual(await required({ 'main.ts': chain }, node), ['DESK_KEY', 'SEAL_KEY']);
});

test('the banner of a section that is called optional holds until the next banner', async () => {
  const banner = (title: string) => `# =====\n# ${title}\n# =====\n`;
  const example =
    `${banner('REQUIRED')}# Key of the desk\nDESK_KEY=\n\n${banner('OPTIONAL')}# Key of the lamp\nLAMP_KEY=\n# Bell\n# Required by most\nBELL_KEY=\n# Sign\nSIGN_KEY=\n\n` +
    `${banner('STORE')}# Key of the store\nSTORE_KEY=\n`;
  assert.deepEqual(await required({ '.env.example': example }), ['DESK_KEY', 'BELL_KEY', 'STORE_KEY']);
  assert.deepEqual(await required({ '.env.example': '# =====\n# OPTIONAL\n\n# Lamp\nLAMP_KEY=\n' }), ['LAMP_KEY'], 'no banner');
});

test('a variable that a condition holds as it tests it is not required, also through a function that reads it', async () => {
  const read = (reader: string) => `import os\nif key := ${reader}("DESK_TOKEN"):\n    use(key)\n`;
  for (const reader of ['os.getenv', 'os.environ.get', '_env']) assert.deepEqual(await required({ 'main.py': read(reader) }), [], reader);
  assert.deepEqual(await required({ 'main.py': 'import os\nkey: str = os.getenv("DESK_TOKEN")\n' }), ['DESK_TOKEN']);
});

test('a module that one file gives its key needs no variable in the files that only use it', async () => {
  const packages = { packages: ['openai'] };
  const use = { 'main.py': 'import openai\nimport keys\nopenai.ChatCompletion.create()\n' };
  assert.deepEqual(await required(use, packages), ['OPENAI_API_KEY']);
  const given = { 'keys.py': 'import openai\nopenai.api_key = load("keys.json")\n' };
  assert.deepEqual(await required({ ...use, ...given }, packages), []);
  const checked = { 'keys.py': 'import openai\nprint(openai.api_key == None)\n' };
  assert.deepEqual(await required({ ...use, ...checked }, packages), ['OPENAI_API_KEY']);
});
