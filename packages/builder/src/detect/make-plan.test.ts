import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import * as fc from 'fast-check';
import { BuildError } from '../build-error.ts';
import { readModule } from '../python/module.ts';
import { makePlan } from './make-plan.ts';
import type { PlanSettings } from './settings.ts';
import type { Toolchains } from './toolchains.ts';

const home = mkdtempSync(join(tmpdir(), 'paddock-plan-'));
after(() => rmSync(home, { recursive: true, force: true }));
const toolchains: Toolchains = {
  python: [
    { version: '3.11.2', path: '' },
    { version: '3.13.1', path: '' },
  ],
  pythonMinors: [],
  node: { version: '24.21.0', path: '' },
  nodeMajors: [18, 20, 22],
};
let count = 0;

function plan(files: Record<string, string | Buffer>, settings: PlanSettings = {}) {
  const dir = join(home, `agent-${count++}`);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, name)), { recursive: true });
    writeFileSync(join(dir, name), content);
  }
  return makePlan(dir, settings, toolchains);
}

interface Failure {
  code: string;
  message: RegExp;
  settings?: PlanSettings;
}

async function fails(files: Record<string, string>, { code, message, settings }: Failure) {
  const error = await plan(files, settings).then(
    () => assert.fail(`expected ${code}`),
    (e: unknown) => e,
  );
  assert.ok(error instanceof BuildError, String(error));
  assert.equal(error.code, code, error.message);
  assert.equal(error.step, 'detect');
  assert.match(`${error.message} ${error.hint}`, message);
}

const app = { 'main.py': 'print(1)\n' };
test('the function that an image for AWS Lambda names is no program to start', async () => {
  const lambda = { 'handler.py': 'def run(event, context):\n    return event\n', 'tools.py': '', 'requirements.txt': 'requests\n' };
  const files = { ...lambda, Dockerfile: 'FROM public.ecr.aws/lambda/python:3.11\nCOPY . .\nCMD ["handler.run"]\n' };
  await fails(files, { code: 'start_missing', message: /Nothing in the archive says how the Python agent starts/ });
  const server = `${files.Dockerfile}ENTRYPOINT ["python", "handler.py"]\n`;
  assert.deepEqual((await plan({ ...files, Dockerfile: server })).start, ['python', 'handler.py', 'handler.run']);
});

test('a program in another language that the image makes is not taken for a script that lies beside it', async () => {
  const rust = { 'Cargo.toml': '', 'src/main.rs': '', Dockerfile: 'FROM rust\nCOPY . .\nRUN cargo build\nCMD ["./desk"]\n' };
  const beside = { ...rust, 'docs.py': 'print(1)\n', 'requirements.txt': 'requests\n' };
  await fails(beside, {
    code: 'image_only',
    message: /Dockerfile starts "\.\/desk", which isn’t in the archive: .* Rust project \(Cargo\.toml\)/,
  });
  assert.equal((await plan({ ...beside, desk: '' })).language, 'python', 'the program is there');
  assert.deepEqual((await plan(beside, { start: 'python docs.py' })).start, ['python', 'docs.py']);
});
const manifests: [string, RegExp][] = [
  ['start: x\nstrat: y\n', /paddock\.yaml:2:1: unknown key "strat", did you mean "start"\?/],
  ['port: 99999\n', /paddock\.yaml:1:7: port must be a whole number from 1 to 65535/],
  ['type: daemon\n', /paddock\.yaml:1:7: type must be web, worker or job/],
  ['env:\n  OK: 1\n  BAD: [1]\n', /paddock\.yaml:3:8: env\.BAD must be/],
  ['env:\n  A: "x\\0--ro-bind\\0/\\0/host"\n', /paddock\.yaml:2:3: env contains a NUL/],
  ['env:\n  "A B": 1\n', /paddock\.yaml:2:3: "A B" is not a name/],
  ['start: [\n', /paddock\.yaml:\d+:\d+: /],
  ['- a\n', /paddock\.yaml:1:1: the file must be/],
  ['start: a\nstart: b\n', /paddock\.yaml:2:1: .*unique/],
  ['root: ../x\n', /paddock\.yaml:1:7: root must be a folder inside/],
  ['health: ready\n', /paddock\.yaml:1:9: health must be a path/],
  ['start:\n', /paddock\.yaml:1:\d+: start must be a command/],
  ['__proto__: 1\n', /unknown key "__proto__"/],
];
for (const [source, message] of manifests) {
  test(`the manifest ${JSON.stringify(source)} fails with file, line and column`, () =>
    fails({ ...app, 'paddock.yaml': source }, { code: 'manifest_invalid', message }));
}

test('a setting of the form wins over the manifest, that over the Procfile, that over detection', async () => {
  const files = { ...app, Procfile: 'web: proc\n', 'paddock.yaml': 'start: manifest one\n' };
  assert.deepEqual((await plan(files, { start: 'form' })).start, ['form']);
  assert.deepEqual((await plan(files)).start, ['manifest', 'one']);
  assert.deepEqual((await plan({ ...app, Procfile: 'web: proc\n' })).start, ['proc']);
  assert.deepEqual((await plan(app)).start, ['python', 'main.py']);
});

test('a manifest in UTF-16, as editors of Windows write it, is read like one in UTF-8', async () => {
  const text = '\ufeffstart: python main.py --grüße\r\ntype: worker\r\n';
  for (const bytes of [Buffer.from(text, 'utf16le'), Buffer.from(text, 'utf16le').swap16(), Buffer.from(text)]) {
    const { start, type } = await plan({ 'main.py': '', 'paddock.yaml': bytes });
    assert.deepEqual([type, start.at(-1)], ['worker', 'python main.py --grüße']);
  }
});

test('a version of Python that is not there is an error that lists what there is', async () => {
  await fails(
    { ...app, 'paddock.yaml': 'python: 3.12\n' },
    { code: 'python_unsupported', message: /3\.12 \(setting\).*Present: Python 3\.13\.1, 3\.11\.2/ },
  );
  await fails({ ...app, '.python-version': '3.14\n' }, { code: 'python_unsupported', message: /3\.14 \(\.python-version\)/ });
  assert.equal((await plan({ ...app, 'runtime.txt': 'python-3.11.9' })).version, '3.11.2');
  assert.equal(
    (await plan({ ...app, 'pyproject.toml': '[project]\nname="a"\nversion="1"\nrequires-python = ">=3.9,<3.13"\n' })).version,
    '3.11.2',
  );
  assert.equal((await plan({ ...app, 'paddock.yaml': 'python: 3.11\n' })).version, '3.11.2');
  assert.equal((await plan(app)).version, '3.13.1');
});

test('a version manager’s pin that is not there gives way to what the project allows, and the plan says so', async () => {
  const project = (requires: string) => `[project]\nname = "a"\nversion = "1"\nrequires-python = "${requires}"\n`;
  const loose = await plan({ ...app, '.python-version': '3.10\n', 'pyproject.toml': project('>=3.10,<3.13') });
  assert.equal(loose.version, '3.11.2');
  assert.match(loose.warnings.join(), /\.python-version asks for Python 3\.10.*3\.11\.2 is used, which pyproject\.toml allows/);
  const alone = await plan({ ...app, '.python-version': '3.9\n' });
  assert.equal(alone.version, '3.11.2', 'the next newer one is the likeliest to fit');
  assert.match(alone.warnings.join(), /3\.11\.2 is used/);
  await fails(
    { ...app, '.python-version': '3.14\n', 'pyproject.toml': project('>=3.14') },
    { code: 'python_unsupported', message: /Python >=3\.14 \(pyproject\.toml\)/ },
  );
  await fails({ ...app, 'runtime.txt': 'python-2.7.18' }, { code: 'python_unsupported', message: /Python 2\.7\.18/ });
});

test('a manifest version such as 3.10 stays 3.10', () =>
  fails({ ...app, 'paddock.yaml': 'python: 3.10\n' }, { code: 'python_unsupported', message: /Python 3\.10 / }));

test('a version of Node is chosen among the offered majors', async () => {
  const node = (engine: string) => plan({ 'package.json': JSON.stringify({ main: 'a.js', engines: { node: engine } }), 'a.js': '' });
  assert.equal((await node('>=18')).version, '24.21.0');
  assert.equal((await node('^20.10')).version, '20');
  assert.equal((await node('18 || 20')).version, '20');
  await assert.rejects(node('16.x'), /Node 16\.x .*isn't offered/);
});

test('what is found nowhere names the files that were looked for', () =>
  fails({ 'data.csv': '1' }, { code: 'nothing_found', message: /requirements\.txt.*package\.json.*holds: data\.csv/ }));
test('a ZIP with one agent in a folder is that agent, one with several names them', async () => {
  const found = await plan({
    'README.md': '',
    'backend/requirements.txt': 'six',
    'backend/main.py': '',
    'backend/app/requirements.txt': '',
  });
  assert.deepEqual([found.root, found.start], ['backend', ['python', 'main.py']]);
  assert.ok(found.reasons.some((r) => r.what === 'root' && r.because === 'the only folder with an agent in it'));
  const several = { 'README.md': '', 'api/requirements.txt': 'six', 'ui/package.json': '{}', '.github/package.json': '{}' };
  await fails(several, { code: 'nothing_found', message: /own: api, ui\. .*“root: api”/ });
  await fails({ ...several, 'package.json': '{}' }, { code: 'start_missing', message: /own: api, ui\./ });
});
test('a Dockerfile whose program only its image holds is refused before anything starts', async () => {
  await fails(
    { Dockerfile: 'FROM golang\nCMD ["./ai"]', 'go.mod': 'module ai', 'main.go': '' },
    { code: 'image_only', message: /"\.\/ai".*This is a Go project/ },
  );
  await fails({ Dockerfile: 'FROM x\nENTRYPOINT ["agent"]' }, { code: 'image_only', message: /"agent"/ });
  assert.deepEqual((await plan({ Dockerfile: 'FROM x\nCMD ["/app/run.sh"]', 'run.sh': '' })).start, ['/app/run.sh']);
  const moved = { Dockerfile: 'FROM x\nCOPY src .\nCMD ["python", "slack_app.py"]', 'requirements.txt': '', 'src/slack_app.py': '' };
  const { start, start_in } = await plan(moved);
  assert.deepEqual([start, start_in], [['python', 'slack_app.py'], 'src']);
  assert.deepEqual((await plan({ Dockerfile: 'FROM x\nCMD sh run.sh', 'run.sh': '' })).start, ['sh', 'run.sh']);
});
test('an agent whose framework nothing installs says which packages to name', () =>
  fails(
    { 'app.py': 'from flask import Flask\nimport openai, os\napp = Flask(__name__)\n', 'requirements-dev.txt': '' },
    { code: 'dependencies_missing', message: /app\.py uses Flask.*requirements-dev\.txt is not read.*flask, openai\./ },
  ));
test('a Python agent without any entry says what to do', () =>
  fails(
    { 'requirements.txt': 'six', 'a/b/x.py': '' },
    { code: 'start_missing', message: /such as “python a\/b\/x\.py”, or write it as “start” into paddock\.yaml/ },
  ));
test('a Python agent without any entry is offered the commands that run its modules', () =>
  fails(
    {
      'requirements.txt': 'six',
      'src/desk/a.py': '',
      'src/desk/jobs/b.py': 'from ..a import x\nif __name__ == "__main__":\n  x()',
      'src/desk/jobs/c.py': 'from ..a import x\nif __name__ == "__main__":\n  x()',
    },
    { code: 'start_missing', message: /such as “python -m desk\.jobs\.b”, “python -m desk\.jobs\.c” or “python src\/desk\/a\.py”/ },
  ));
test('a Node agent without any entry says what to do', () =>
  fails(
    { 'package.json': '{"main": "index.js"}', 'x/go.js': '' },
    { code: 'start_missing', message: /its “main”, index\.js, isn’t there.*x\/go\.js/ },
  ));
test('a Node agent that its platform or a missing tool would have to start says so', async () => {
  const worker = JSON.stringify({ scripts: { start: 'vite dev' }, dependencies: { agents: '1' } });
  await fails(
    { 'package.json': worker, 'wrangler.jsonc': '{}', 'src/server.ts': '' },
    { code: 'other_platform', message: /Cloudflare Workers \(wrangler\.jsonc\)/ },
  );
  await fails({ 'deno.json': '{}', 'main.ts': '' }, { code: 'other_platform', message: /made for Deno \(deno\.json\)/ });
  await fails(
    { 'package.json': '{}', 'langgraph.json': '{}' },
    { code: 'start_missing', message: /doesn’t name @langchain\/langgraph-cli.*npm install/ },
  );
  const workspace = JSON.stringify({ workspaces: ['a'], scripts: { build: 'turbo build' } });
  await fails({ 'package.json': workspace, 'a/package.json': '{}' }, { code: 'start_missing', message: /own: a\./ });
});
test('an MCP server that listens itself, or a client, is not put behind the bridge', async () => {
  const pkg = JSON.stringify({ dependencies: { '@modelcontextprotocol/sdk': '1' } });
  const both = "import { StdioServerTransport } from 'x'; import { StreamableHTTPServerTransport } from 'y';";
  assert.deepEqual((await plan({ 'package.json': pkg, 'index.js': both })).start, ['node', '--', 'index.js']);
  assert.deepEqual((await plan({ 'package.json': pkg, 'index.js': 'new StdioClientTransport()' })).start, ['node', '--', 'index.js']);
  assert.deepEqual((await plan({ 'package.json': pkg, 'index.js': 'new StdioServerTransport()', Procfile: 'web: node index.js' })).start, [
    'node',
    'index.js',
  ]);
});
test('a broken package.json is named with its place', () =>
  fails({ 'package.json': '{"a": 1,}' }, { code: 'package_json_invalid', message: /package\.json is not valid JSON.*position|line/ }));
test('a broken pyproject.toml is named with its place', () =>
  fails({ 'pyproject.toml': '[project\nname' }, { code: 'toml_invalid', message: /pyproject\.toml:1:\d+/ }));
test('a root folder that is not there fails', () =>
  fails(app, { code: 'root_missing', message: /no folder "svc"/, settings: { root: 'svc' } }));

test('names in comments, strings and other functions are not taken for the app', () => {
  const module = readModule(`
'''
app = FastAPI()
'''
# app = FastAPI()
from fastapi import FastAPI as Api
def make(x):
    app = Api()
text = f"app = Api()"
real = (
    Api(title="a # b")
)
service = Api(
    title='x')
`);
  assert.deepEqual(module.variables, [{ name: 'service', made: 'fastapi.FastAPI' }]);
  assert.ok(module.imports.has('fastapi'));
});

test('reading Python source never fails and ends, whatever the text', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string(), fc.stringMatching(/^[\s'"#\\()[\]{}=:,.a-z\n]*$/)),
      (source) => readModule(source).variables.length >= 0,
    ),
  );
});

test('a file name full of shell text never becomes part of a command', async () => {
  for (const payload of ['$(touch CANARY_RCE)', '`touch CANARY_RCE`', '; touch CANARY_RCE', '--help', '-rf']) {
    const found = await plan({
      'main.py': '1',
      'package.json': '{}',
      [`${payload.replaceAll('/', '_')}.py`]: 'from fastapi import FastAPI\nx = FastAPI()\n',
    });
    assert.ok(
      found.start.every((part) => !part.includes('CANARY')),
      found.start.join(' '),
    );
  }
});

test('whatever speaks of a port without deciding it is a reason to wait for one, and nothing else is', async () => {
  const why = async (files: Record<string, string>) => (await plan(files)).may_listen;
  assert.equal(await why({ 'main.py': 'import os\nport = int(os.environ.get("PORT", 8000))\n' }), 'main.py reads PORT');
  assert.equal(await why({ 'server.js': "require('./web')", 'web.js': 'serve(process.env.PORT || 3000)' }), 'web.js reads PORT');
  assert.equal(await why({ 'server.js': 'require("http").createServer(answer).listen(3456)' }), 'server.js makes a server');
  assert.equal(await why({ 'main.py': 'HTTPServer(("", 80), H).serve_forever()\n' }), 'main.py makes a server');
  assert.equal(await why({ 'main.py': 'go()\n', Dockerfile: 'FROM python\nEXPOSE 8000\n' }), 'the Dockerfile has EXPOSE 8000');
  assert.equal(await why({ 'main.py': 'go()\n', '.env.example': 'API_KEY=\nPORT=8000\n' }), '.env.example names PORT');
  assert.equal(await why({ 'start.sh': 'exec ./serve --port "$PORT"\n' }), 'start.sh reads PORT');
  for (const quiet of ['for m in pubsub.listen(): pass', 'os.environ["SMTP_PORT"]', 'connect(DB_PORT)'])
    assert.equal(await why({ 'main.py': `${quiet}\n` }), undefined, quiet);
  assert.equal(await why({ 'main.py': 'go()\n', 'tests/test_main.py': 'os.environ["PORT"]\n' }), undefined);
  const said = await plan({ 'main.py': 'os.environ["PORT"]\n', 'paddock.yaml': 'type: worker\n' });
  assert.deepEqual([said.type, said.may_listen], ['worker', undefined], 'what the archive says outright counts alone');
  assert.equal((await plan({ ...app, 'paddock.yaml': 'port: 9000\n' })).type, 'web');
});
