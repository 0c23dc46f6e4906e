/** An HTTP agent that sends response heads as costly to parse as possible and writes lines without a pause. */
const flooder = `
const blanks = ' '.repeat(7000);
require('node:http').createServer((request, response) => {
  response.setHeader('set-cookie', ['a=' + blanks + ';' + blanks + 'x', 'b=1;' + blanks]);
  response.setHeader('connection', Array.from({ length: Math.random() < 0.5 ? 60 : 500 }, (_, n) => 'x-' + n).join(', '));
  response.end('hostile');
}).listen(process.env.PORT);
const line = '\\x1b[31m' + ' '.repeat(500) + '\\u2028' + '='.repeat(500) + '\\r\\n';
const flood = () => process.stdout.write(line.repeat(20), () => setTimeout(flood, 5));
flood();
`;

/** Takes all the processor time and memory that the platform allows. */
const burner = `
const { fork } = require('node:child_process');
if (process.argv[2] !== 'child') for (let n = 0; n < 8; n++) fork(__filename, ['child']);
else for (;;) Math.sqrt(Math.random());
require('node:http').createServer((request, response) => response.end('hostile')).listen(process.env.PORT);
`;

/** Puts a FIFO at every path that the platform might open after a build. */
const fifos = `
const { execFileSync } = require('node:child_process');
const { mkdirSync, rmSync } = require('node:fs');
mkdirSync('node_modules', { recursive: true });
for (const path of ['node_modules/.package-lock.json', 'package.json', 'paddock.yaml', 'Procfile', 'requirements.txt', 'index.html', 'Dockerfile']) {
  rmSync(path, { recursive: true, force: true });
  execFileSync('mkfifo', [path]);
}
`;

const keys = (count: number) => Array.from({ length: count }, (_, n) => `  K${n}: v`).join('\n');

/** Archives that hang a platform which parses text in more than linear time, or opens a build's files without care. */
export const hostileArchives: Record<string, Record<string, string>> = {
  'requirements with blanks': { 'requirements.txt': `flask${' '.repeat(60_000)}\u2028x\n`, 'main.py': 'print(1)\n' },
  'a Procfile of blanks': { Procfile: `web:${' \t'.repeat(50_000)}\u2028\n`, 'server.js': 'process.exit(1)' },
  'a Dockerfile of backslashes': { Dockerfile: `FROM node\nCMD ${'[ "a", '.repeat(20_000)}\nRUN ${'\\\n'.repeat(20_000)}`, 'a.js': '1' },
  'an example of variables': { '.env.example': `A=${'"'.repeat(50_000)}\n${' '.repeat(80_000)}=\n`, 'server.js': 'process.exit(1)' },
  'twenty thousand keys': { 'paddock.yaml': `start: node a.js\nenv:\n${keys(20_000)}\n`, 'a.js': 'process.exit(1)' },
  'twenty thousand calls': { 'main.py': `${'f('.repeat(20_000)}\n` },
  'a project of brackets': { 'pyproject.toml': `[project]\nname = "a"\ndependencies = ${'['.repeat(20_000)}\n`, 'main.py': 'print(1)\n' },
  'a package of brackets': { 'package.json': `{"scripts":{"start":"${' '.repeat(60_000)}node"},"a":${'['.repeat(20_000)}`, 'a.js': '1' },
  'a build of long lines': {
    'paddock.yaml': 'start: node a.js\nbuild: node build.js\n',
    'build.js':
      "for (let n = 0; n < 200; n++) console.error('npm error ' + 'https://'.repeat(2000) + ' '.repeat(16000) + '@x'); process.exit(1);",
    'a.js': '1',
  },
  'a build that leaves FIFOs': {
    'paddock.yaml': 'start: node a.js\nbuild: node build.cjs\n',
    'package.json': '{"name":"hostile","version":"1.0.0"}',
    'build.cjs': fifos,
    'a.js': 'setInterval(() => 1, 1000)',
  },
};

/** Agents that start and then disturb the platform. */
export const hostileAgents: Record<string, Record<string, string>> = {
  'a flood of lines and heads': { 'server.js': flooder },
  'eight burning processes': { 'server.js': burner },
};
