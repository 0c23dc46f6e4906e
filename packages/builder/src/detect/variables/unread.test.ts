import assert from 'node:assert/strict';
import { test } from 'node:test';
import { required } from '../../../test/asked-variables.ts';

const example = { '.env.example': 'DESK_TOKEN=\n' };
const main = (text: string) => ({ ...example, 'main.py': `import os\n${text}\n` });

test('a key that only an example, the README or a compose file names is not required if nothing can read it', async () => {
  assert.deepEqual(await required(main('print(1)')), []);
  const readme = { 'main.py': 'print(1)\n', 'README.md': '```sh\nDESK_TOKEN=<token>\n```\n' };
  assert.deepEqual(await required(readme), []);
  const compose = { 'main.py': 'print(1)\n', 'compose.yaml': 'services:\n  desk:\n    build: .\n    environment:\n      - DESK_TOKEN\n' };
  assert.deepEqual(await required(compose), []);
  assert.deepEqual(await required(main('# token = os.getenv("DESK_TOKEN")')), [], 'commented out');
  assert.deepEqual(await required({ ...main('print(1)'), 'tests/test_a.py': 'import os\nos.environ["DESK_TOKEN"]\n' }), [], 'in a test');
  const script = { ...example, 'main.js': '// use(process.env.DESK_TOKEN);\nlisten(process.env.PORT);\n' };
  assert.deepEqual(await required(script, { language: 'node' }), [], 'commented out in Node');
});

test('a key stays required where a file of the archive or a library may read it', async () => {
  const wanted = ['DESK_TOKEN'];
  assert.deepEqual(await required(main('use(settings.desk_token)')), wanted, 'by its name in small letters');
  assert.deepEqual(await required({ ...main('print(1)'), 'config.yaml': 'token: ${DESK_TOKEN}\n' }), wanted, 'in a file of settings');
  assert.deepEqual(await required(main('from helpdesk import DeskClient\nDeskClient()')), wanted, 'by a client of the service');
  assert.deepEqual(await required(main('print(1)'), { packages: ['desk-sdk'] }), wanted, 'by a package of the service');
  for (const read of ['os.getenv(name)', 'os.environ[f"{service}_TOKEN"]', 'run(["desk"], env=os.environ.copy())', 'S(_env_prefix=p)'])
    assert.deepEqual(await required(main(read)), wanted, read);
  for (const read of ['process.env[name]', 'spawn("desk", { env: process.env })', 'const all = { ...process.env };'])
    assert.deepEqual(await required({ ...example, 'main.js': `${read}\n` }, { language: 'node' }), wanted, read);
});

test('a key that nothing reads stays required where its example or README says so, or it is that of a model provider', async () => {
  for (const text of ['# Required\nDESK_TOKEN=\n', 'DESK_TOKEN= # required\n'])
    assert.deepEqual(await required({ 'main.py': 'print(1)\n', '.env.example': text }), ['DESK_TOKEN'], text);
  const table = '| Variable | Required |\n|---|---|\n| `DESK_TOKEN` | yes |\n';
  assert.deepEqual(await required({ 'main.py': 'print(1)\n', 'README.md': table }), ['DESK_TOKEN']);
  assert.deepEqual(await required({ 'main.py': 'print(1)\n', '.env.example': 'GROQ_API_KEY=\n' }), ['GROQ_API_KEY']);
});

test('a key of which only the first word is spoken of is that of no service, and neither is one with a value in the compose file', async () => {
  const example = { '.env.example': 'DESK_LAMP_API_KEY=\n' };
  const desk = (text: string) => ({ ...example, 'main.py': `from helpdesk import DeskClient\n${text}\n` });
  assert.deepEqual(await required(desk('DeskClient()')), []);
  assert.deepEqual(await required(desk('DeskClient(lamp_url="http://lamp")')), ['DESK_LAMP_API_KEY']);
  const compose = (value: string) => ({ 'compose.yaml': `services:\n  proxy:\n    image: desk\n    environment:\n      LAMP: ${value}\n` });
  const named = main('DeskClient()');
  assert.deepEqual(await required({ ...named, ...compose('${DESK_TOKEN}') }), ['DESK_TOKEN']);
  assert.deepEqual(await required({ ...named, ...compose('${DESK_TOKEN:-tea}') }), []);
  assert.deepEqual(await required({ ...main('os.environ["DESK_TOKEN"]'), ...compose('${DESK_TOKEN:-tea}') }), ['DESK_TOKEN'], 'it is read');
});

test('a variable of the pages beside a Python agent is not required', async () => {
  const named = { '.env.example': 'VITE_DESK_TOKEN=\nDESK_TOKEN=\n' };
  assert.deepEqual(await required({ ...named, 'main.py': 'import os\nos.environ[os.argv[1]]\n' }), ['DESK_TOKEN']);
});

test('a key that an example calls required if something else is set is not required', async () => {
  const read = { 'main.py': 'import os\ntoken = os.getenv("DESK_TOKEN")\n' };
  const said = [
    '# Required if MODE is desk\nDESK_TOKEN=\n',
    'DESK_TOKEN= # only needed for the desk\n',
    '# Needed when a desk is there.\nDESK_TOKEN=\n',
  ];
  for (const text of said) assert.deepEqual(await required({ ...read, '.env.example': text }), [], text);
  assert.deepEqual(await required({ ...read, '.env.example': '# Required\nDESK_TOKEN=\n' }), ['DESK_TOKEN']);
});

test('a schema that takes its variables from the environment names them', async () => {
  const schema = 'const env = z.object({\n  BELL_TOKEN: z.string(),\n  // DESK_TOKEN: z.string(),\n}).parse(process.env);\n';
  assert.deepEqual(await required({ ...example, 'env.ts': schema }, { language: 'node' }), ['BELL_TOKEN']);
});
