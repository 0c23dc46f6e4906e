import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { makePlan } from '../detect/make-plan.ts';

const home = mkdtempSync(join(tmpdir(), 'paddock-start-'));
after(() => rmSync(home, { recursive: true, force: true }));
let count = 0;

/** Runs the start command of an archive without dependencies as the sandbox would, and returns its output. */
async function started(files: Record<string, string>): Promise<string> {
  const dir = join(home, `agent-${count++}`);
  for (const [name, content] of Object.entries({ 'requirements.txt': '', ...files })) {
    mkdirSync(dirname(join(dir, name)), { recursive: true });
    writeFileSync(join(dir, name), content);
  }
  const python = [{ version: '3.11.2', path: '' }];
  const { start, env } = await makePlan(dir, {}, { python, pythonMinors: [], node: { version: '24.21.0', path: '' }, nodeMajors: [] });
  const [program = '', ...args] = start;
  assert.equal(program, 'python');
  const path = env.PYTHONPATH === undefined ? {} : { PYTHONPATH: env.PYTHONPATH };
  const { stdout, stderr } = spawnSync('python3', args, {
    cwd: dir,
    env: { PATH: process.env.PATH, ...path },
    encoding: 'utf8',
    timeout: 30_000,
  });
  return stdout.trim() || `${start.join(' ')}: ${stderr.trim().split('\n').at(-1)}`;
}

const main = (...imports: string[]) => `${imports.join('\n')}\nif __name__ == "__main__":\n    print("started", a)\n`;

const archives: [kind: string, files: Record<string, string>][] = [
  ['a package in src', { 'src/desk/__init__.py': '', 'src/desk/a.py': 'a = 1', 'src/desk/main.py': main('from .a import a') }],
  [
    'a package in src that is imported as src',
    { 'src/desk/b.py': 'b = 1', 'src/desk/a.py': 'from src.desk.b import b as a', 'src/desk/main.py': main('from .a import a') },
  ],
  ['src as a package', { 'src/__init__.py': '', 'src/a.py': 'a = 1', 'src/main.py': main('from .a import a') }],
  ['src without __init__.py', { 'src/a.py': 'a = 1', 'src/main.py': main('from .a import a') }],
  ['a parent package', { 'desk/a.py': 'a = 1', 'desk/jobs/main.py': main('from ..a import a') }],
  [
    'a neighbour that imports from a parent package',
    { 'src/a.py': 'a = 1', 'src/desk/b.py': 'from ..a import a', 'src/desk/main.py': main('from .b import a') },
  ],
  [
    'a package that is imported from its own folder',
    { 'back/desk/a.py': 'a = 1', 'back/desk/b.py': 'from desk.a import a', 'back/desk/main.py': main('from .b import a') },
  ],
  ['a folder with a name that is no package’s', { 'my-bots/desk/a.py': 'a = 1', 'my-bots/desk/main.py': main('from .a import a') }],
  [
    'an import within a function',
    {
      'desk/a.py': 'a = 1',
      'desk/main.py': 'def a():\n    from .a import a\n    return a\nif __name__ == "__main__":\n    print("started", a())\n',
    },
  ],
  [
    'a fallback to a bare import',
    { 'desk/a.py': 'a = 1', 'desk/main.py': main('try:', '    from .a import a', 'except ImportError:', '    from a import a') },
  ],
  ['bare imports', { 'desk/a.py': 'a = 1', 'desk/main.py': main('from a import a') }],
];
test('a script of any folder starts by its plan, whatever way it imports its neighbours', async () => {
  for (const [kind, files] of archives) {
    const path = Object.keys(files).find((each) => each.endsWith('main.py'));
    assert.match(await started({ ...files, 'README.md': `\`python ${path}\`` }), /^started /, kind);
  }
});

test('a script of pyproject.toml starts with the arguments that a document gives it, and not with those of a question', async () => {
  const cli = `import sys\n\ndef main():\n    # serve, --port\n    commands = ["serve", "ask", "--port"]\n    print("started", sys.argv[1:])\n`;
  const files = {
    'pyproject.toml': '[project]\nname = "a"\nversion = "1"\n[project.scripts]\ndesk = "desk.cli:main"\n',
    'desk/cli.py': cli,
  };
  const byReadme = (text: string) => started({ ...files, 'README.md': text });
  assert.equal(await byReadme('```\nuv run desk serve --port 8000\n```'), "started ['serve', '--port', '$PORT']");
  assert.equal(await byReadme('```\nuv run desk ask "who?"\nuv run desk ask who\nuv run desk --help\n```'), 'started []');
  assert.equal(await byReadme('desk is a server with a serve command\ndesk serve <name>'), 'started []');
  assert.equal(await byReadme('`uv run desk serve stdio`\n\n`desk serve [--port N]`'), "started ['serve', '--port', '$PORT']");
  assert.equal(await started({ ...files, Makefile: 'run:\n\t@uv run desk ask all\n' }), "started ['ask', 'all']");
});
