import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import * as fc from 'fast-check';
import { sized } from '../../../../scripts/test/size.ts';
import { growsLinearly, kindsOfPieces, pieces } from '../../test/growth.ts';
import { explain } from '../install/explain-failure.ts';
import { findRestriction } from '../install/settings/restrict.ts';
import { loadedBy } from '../node/unlisted.ts';
import { readNpmSettings } from '../registry/npmrc.ts';
import { readPipSettings } from '../registry/pip-settings.ts';
import { redactor } from '../registry/redact.ts';
import { withoutLogin } from '../registry/without-login.ts';
import { planTree } from './make-plan.ts';
import { openTree } from './source-tree.ts';
import type { Toolchains } from './toolchains.ts';
import { parsePlainYaml } from './yaml.ts';

/** In memory if possible: the test writes thousands of trees. */
const home = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'paddock-linear-'));
after(() => rmSync(home, { recursive: true, force: true }));
const toolchains: Toolchains = {
  python: [{ version: '3.11.2', path: '/usr/bin/python3.11' }],
  pythonMinors: [],
  node: { version: '24.21.0', path: '/usr/bin/node' },
  nodeMajors: [18, 20, 22],
};

type Files = Record<string, string>;
/**
 * `npm run check` proves each pattern linear, and the readers below get every piece. Here one piece of each kind exercises the loops of
 * each place.
 */
const repeated = sized({ short: kindsOfPieces, long: pieces });
const json = JSON.stringify;
const quoted = (text: string) => `'''\n${text.replaceAll("'", '')}'''`;
const python = { 'requirements.txt': 'fastapi\nmcp\ngoogle-adk\n' };
const node = (more: object) => ({ 'package.json': json({ dependencies: { a: '1', '@modelcontextprotocol/sdk': '1' }, ...more }) });

/** Every file that a rule reads, with the hostile text at the place that the rule reads. */
const places: Record<string, (text: string) => Files> = {
  'requirements.txt': (text) => ({ 'requirements.txt': text, 'main.py': '' }),
  'a requirement': (text) => ({ 'requirements.txt': `a${text}x\u2028y`, 'main.py': '' }),
  'an included requirements file': (text) => ({ 'requirements.txt': '-r more.txt\n', 'more.txt': text, 'main.py': '' }),
  'patterns of a workspace': (text) => ({
    'package.json': json({ workspaces: [text, `**/*${text}*`, `**/**/${text}`], main: 'server.js' }),
    'server.js': '',
    'packages/deep/deeper/deepest/package.json': json({ name: 'a', dependencies: { a: text } }),
  }),
  'setup.cfg': (text) => ({ 'setup.cfg': `[options]\ninstall_requires =\n  a\n${text}` }),
  'setup.py': (text) => ({ 'setup.py': `setup(install_requires=[${text}], name=${text})` }),
  Procfile: (text) => ({ ...python, Procfile: text, 'main.py': '' }),
  'a command in a Procfile': (text) => ({ ...python, Procfile: `web: ${text}` }),
  Dockerfile: (text) => ({ Dockerfile: text, 'start.sh': '' }),
  'CMD in a Dockerfile': (text) => ({ Dockerfile: `FROM a\nCMD ${text}` }),
  'RUN in a Dockerfile': (text) => ({ ...python, Dockerfile: `FROM a\nRUN ${text}\nCOPY . .\nCMD python a.py`, 'main.py': '' }),
  'an installation in a Dockerfile': (text) => ({
    ...python,
    Dockerfile: `FROM a\nRUN apt-get install ${text}\nRUN pip install ${text}`,
    'main.py': '',
  }),
  'ENV in a Dockerfile': (text) => ({
    ...python,
    Dockerfile: `FROM a\nENV A="${text}" B=$A$A\nENV C ${text}\nARG D=${text}`,
    'main.py': '',
  }),
  'a shell script that a Dockerfile runs': (text) => ({
    ...python,
    Dockerfile: 'FROM a\nCOPY . .\nCMD ["sh", "up.sh"]',
    'up.sh': `${text} &\n`,
  }),
  'commands before the server of an image': (text) => ({
    'requirements.txt': 'fastapi',
    Dockerfile: `FROM a\nCOPY . .\nCMD ${json(['sh', '-c', `${text}; alembic ${text} && uvicorn main:app`])}`,
    'compose.yaml': `services:\n  a:\n    build: ${json(text)}\n    command: ${json(`${text} sh -c "${text} && uvicorn main:app"`)}`,
    'main.py': 'from fastapi import FastAPI\napp = FastAPI()',
  }),
  'source and start beside migrations': (text) => ({
    ...python,
    'a/alembic.ini': '',
    'a/alembic/versions/1.py': '',
    'main.py': `"alembic" "${text}`,
  }),
  'a script of the project in a README': (text) => ({
    'pyproject.toml': '[project]\nname = "a"\n[project.scripts]\na = "b.c:d"',
    'b/c.py': text,
    'README.md': `uv run a serve ${text}\nuvicorn ${text} b.c:d`,
  }),
  'COPY and WORKDIR in a Dockerfile': (text) => ({
    ...python,
    Dockerfile: `FROM a AS b\nWORKDIR /${text}\nCOPY ${text} /${text}\nFROM a\nCOPY --from=b /${text} /x\nENTRYPOINT ["/x/a", "${text}"]`,
  }),
  'FROM in a Dockerfile': (text) => ({
    ...python,
    Dockerfile: `ARG A=${text}\nFROM ${text}$A\nFROM --a python:${text} AS ${text}`,
    'main.py': '',
  }),
  'a script in a Dockerfile': (text) => ({ ...python, Dockerfile: `FROM a\nRUN <<EOF\n${text}\nEOF\nRUN <<A\nENV`, 'main.py': '' }),
  'the list of a CMD': (text) => ({ Dockerfile: `FROM a\nCMD ${json(['python', text])}`, 'a.py': '' }),
  '.env.example': (text) => ({ ...python, '.env.example': text, 'main.py': '' }),
  'a value in .env.example': (text) => ({ ...python, '.env.example': `A_KEY=${text}`, 'main.py': '' }),
  'a README': (text) => ({ ...python, 'README.md': text, 'main.py': '' }),
  'tables and code of a README': (text) => ({
    ...python,
    'README.md': `| Name |\n| A_KEY | ${text} |\n\`\`\`\nA_KEY=${text}`,
    'main.py': '',
  }),
  'a compose file': (text) => ({
    ...python,
    'compose.yaml': `services:\n  a:\n    build: .\n    environment:\n      - ${text}`,
    'main.py': '',
  }),
  'what Python reads of its environment': (text) => ({ ...python, 'main.py': `import os\nif not os.environ["A"]: ${text}` }),
  'a settings class': (text) => ({ ...python, 'main.py': `class A(BaseSettings):\n  a: str = Field(${text}` }),
  'what Node reads of its environment': (text) => ({ ...node({}), 'index.js': `const a = process.env.A; {${text}} = process.env` }),
  'a schema of variables': (text) => ({ ...node({}), 'index.js': `process.env; z.object({\nA_KEY: z.string()${text}` }),
  'paddock.yaml': (text) => ({ ...python, 'paddock.yaml': text, 'main.py': '' }),
  'start in paddock.yaml': (text) => ({ ...python, 'paddock.yaml': `start: ${text}\n` }),
  'env in paddock.yaml': (text) => ({ ...python, 'paddock.yaml': `env:\n  A: ${text}\n`, 'main.py': '' }),
  'root in paddock.yaml': (text) => ({ ...python, 'paddock.yaml': `root: ${json(text)}\n`, 'main.py': '' }),
  'pyproject.toml': (text) => ({ 'pyproject.toml': text, 'main.py': '' }),
  'dependencies of a project': (text) => ({ 'pyproject.toml': `[project]\nname = "a"\ndependencies = [${quoted(text)}]`, 'main.py': '' }),
  'requires-python': (text) => ({ 'pyproject.toml': `[project]\nname = "a"\nrequires-python = ${quoted(text)}`, 'main.py': '' }),
  'constraints of Poetry': (text) => ({ 'pyproject.toml': `[tool.poetry.dependencies]\na = ${quoted(text)}`, 'main.py': '' }),
  'poetry.lock': (text) => ({ 'poetry.lock': text, 'pyproject.toml': '[tool.poetry]', 'main.py': '' }),
  'a marker in poetry.lock': (text) => ({
    'poetry.lock': ['1', '2'].map((n) => `[[package]]\nname = "a"\nversion = "${n}"\nmarkers = ${quoted(text)}\n`).join(''),
    'pyproject.toml': '[tool.poetry.dependencies]\na = "*"',
    'main.py': '',
  }),
  'what a package of pdm.lock needs': (text) => ({
    'pdm.lock': ['1', '2'].map((n) => `[[package]]\nname = "a"\nversion = "${n}"\ndependencies = [${quoted(`a ; ${text}`)}]\n`).join(''),
    'pyproject.toml': '[project]\ndependencies = ["a"]',
    'main.py': '',
  }),
  'uv.lock': (text) => ({ 'uv.lock': text, 'pyproject.toml': '[project]', 'main.py': '' }),
  Pipfile: (text) => ({ Pipfile: text, 'main.py': '' }),
  'Pipfile.lock': (text) => ({ 'Pipfile.lock': text, 'main.py': '' }),
  'a Python file': (text) => ({ ...python, 'main.py': text }),
  'a call in a Python file': (text) => ({ ...python, 'main.py': `import uvicorn\nuvicorn.run(${text}` }),
  'an import in a Python file': (text) => ({ ...python, 'main.py': `from ${text} import a\na()` }),
  'an import in a folder of the archive': (text) => ({
    ...python,
    'paddock.yaml': 'root: a',
    'a/main.py': `from a.${text} import ${text}`,
  }),
  'functions of a Python file': (text) => ({ ...python, 'main.py': `def make_${text}():\n  FastAPI()\nmake_a = a.make_${text}()` }),
  'threads of a Python file': (text) => ({
    ...python,
    'main.py': `from threading import Thread\napp = FastAPI()\nThread(target=${text})\nThread(target=lambda: ${text}`,
  }),
  'an agent of ADK': (text) => ({ 'requirements.txt': 'google-adk', 'a/agent.py': text }),
  'manage.py': (text) => ({ ...python, 'manage.py': `DJANGO_SETTINGS_MODULE${text}`, 'a/wsgi.py': '' }),
  'versions of Python': (text) => ({ ...python, '.python-version': text, 'runtime.txt': text, '.tool-versions': text, 'main.py': '' }),
  'package.json': (text) => ({ 'package.json': text, 'index.js': '' }),
  'a start script': (text) => node({ scripts: { start: text, prestart: text } }),
  'a build script': (text) => node({ main: text, bin: text, scripts: { build: text } }),
  'engines and packageManager': (text) => ({ ...node({ engines: { node: text }, packageManager: `npm@${text}` }), 'index.js': '' }),
  'versions of Node': (text) => ({ ...node({}), '.nvmrc': text, '.node-version': text, '.tool-versions': text, 'index.js': '' }),
  'locks of pnpm': (text) => ({ ...node({}), 'pnpm-lock.yaml': text, 'pnpm-workspace.yaml': text, 'index.js': '' }),
  'tsconfig.json': (text) => ({ ...node({ scripts: { build: 'tsc' } }), 'tsconfig.json': `"outDir"${text}` }),
  'a source file': (text) => ({ ...node({}), 'index.js': text }),
  'README.md': (text) => ({ ...python, 'README.md': text, 'a.py': '', 'b.py': '' }),
  'a command in README.md': (text) => ({ ...python, 'README.md': `\`python ${text}\``, 'a.py': '', 'b.py': '' }),
  'a command in compose.yaml': (text) => ({ ...python, 'compose.yaml': `command: ${text}`, 'a.py': '' }),
  'the name of a file in a string': (text) => ({
    ...python,
    'main.py': `run("${text}.py")`,
    'a.py': 'from mcp.server import FastMCP\nFastMCP()',
  }),
  'a relative import in a folder': (text) => ({
    ...python,
    'a/b/main.py': `from .${text} import a\nfrom ${'.'.repeat(50)} import ${text}\nimport ${text}`,
  }),
  'a relative import': (text) => ({ ...python, 'main.py': `from .${text} import a` }),
  'langgraph.json': (text) => ({ ...python, 'langgraph.json': `"app": "${text}`, 'main.py': '' }),
  'groups of dependencies': (text) => ({ 'pyproject.toml': `[dependency-groups]\na = [${quoted(text)}]\n[project]`, 'main.py': '' }),
  'a script that is a choice': (text) => node({ scripts: { start: 'a', 'start:b': text, [`start:${text}`]: 'c' } }),
  'the package.json of a workspace': (text) => ({
    ...node({ scripts: { start: 'a' } }),
    'pnpm-workspace.yaml': '',
    'a/package.json': text,
  }),
};

let count = 0;
async function treeOf(files: Files) {
  const dir = join(home, String(count++));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), text);
  }
  return openTree(dir);
}

/** Blanks with different text before and after them, which decides whether they are superfluous. No `.` of a pattern matches U+2028. */
const aroundBlanks = [
  ['', ''],
  ['a', '\u2028x'],
  ['a', 'x\u2028y'],
] as const;
const aroundOthers = [['', '"\u2028x']] as const;

for (const [place, files] of Object.entries(places))
  test(`the plan of an archive takes time by the length of ${place}, whatever stands there`, async () => {
    for (const piece of repeated)
      for (const [head, end] of piece.trim() === '' ? aroundBlanks : aroundOthers)
        await growsLinearly(
          `${place} of ${json([head, piece, end])}`,
          (length) => treeOf(files(head + piece.repeat(length / piece.length) + end)),
          (tree) => planTree(tree, {}, toolchains),
        );
  });

const readers: Record<string, (text: string) => unknown> = {
  'an address is cleared of its login': withoutLogin,
  'a line is cleared of secrets': redactor(['secret', 'another secret']),
  'a failure is explained': (text) => explain([text, 'error TS1: a', text, `× ${text}`, `npm error ${text}`]),
  'many lines are explained': (text) => explain(text.split('\n')),
  'a failed download is explained': (text) => explain([`Failed to fetch ${text}`, `Because ${text}`, `error: GET https://${text} - 404`]),
  'a failed compiler is explained': (text) =>
    explain([`a.ts(1,1): error TS1: ${text}`, `fatal error: ${text}`, `File "${text}`, `[ERROR] ${text}`]),
  'the imports of a Node source are read': (text) => loadedBy(`import ${text}\nexport ${text}\nconst ${text}`),
  'npmrc is read': (text) => readNpmSettings([text], {}),
  'pip.conf is read': (text) => readPipSettings([text], {}),
  'settings in YAML are read': parsePlainYaml,
  'settings in lines are restricted': (text) => findRestriction('npm', '.npmrc')?.(text),
  'settings in TOML are restricted': (text) => findRestriction('bun', 'bunfig.toml')?.(text),
};

for (const [reader, work] of Object.entries(readers))
  test(`the time in which ${reader} goes by the length of the text, whatever strangers write`, async () => {
    for (const piece of pieces)
      for (const [head, end] of aroundBlanks)
        await growsLinearly(`${reader}, ${json([head, piece, end])}`, (length) => head + piece.repeat(length / piece.length) + end, work);
    const some = (minLength: number) => fc.array(fc.constantFrom(...pieces), { minLength, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(some(0), some(1), some(0), async (head, unit, end) => {
        const one = unit.join('');
        const text = (length: number) => head.join('') + one.repeat(length / one.length) + end.join('');
        await growsLinearly(`${reader}, ${json([head, unit, end])}`, text, work);
      }),
      { numRuns: sized({ short: 20, long: 100 }) },
    );
  });

test('the time in which settings in YAML are read goes by their length, however many anchors and aliases they have', async () => {
  const repeated = (length: number, line: (n: number) => string) => Array.from({ length: length / 16 }, (_, n) => line(n)).join('\n');
  const text = (length: number) => `${repeated(length, (n) => `a${n}: &a${n} {}`)}\n${repeated(length, (n) => `b${n}: *a${n}`)}\n`;
  await growsLinearly('anchors and aliases', text, parsePlainYaml);
});

test('the plan of an archive takes time by the number of its files, whatever they are called', async () => {
  const names: ((n: number) => string)[] = [
    (n) => `d${n}/main.py`,
    (n) => `d${n}/pyproject.toml`,
    (n) => `d/e${n}/package.json`,
    (n) => `a${n}.txt`,
    (n) => `p${n}/__main__.py/x`,
  ];
  for (const name of names) {
    const spent: number[] = [];
    for (const amount of [250, 4000]) {
      const imports = Array.from({ length: amount }, (_, n) => `import m${n}\n`).join('');
      const tree = await treeOf({ 'odd_name.py': imports, ...Object.fromEntries(Array.from({ length: amount }, (_, n) => [name(n), ''])) });
      const before = process.threadCpuUsage();
      try {
        planTree(tree, {}, toolchains);
      } catch (error) {
        assert.equal((error as Error).name, 'BuildError');
      }
      const { user, system } = process.threadCpuUsage(before);
      spent.push((user + system) / 1000);
    }
    assert.ok((spent[1] ?? 0) <= Math.max(400, 64 * (spent[0] ?? 0)), `${name(0)}: ${spent.join(' ms, then ')} ms`);
  }
});
