import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planFiles } from '../../test/plan-files.ts';

const sdk = { '@modelcontextprotocol/sdk': '1.20.0' };
const bridge = ['node', '/opt/paddock/launchers/serve_mcp_stdio.mjs', '--'];
const stdioImport = `import { StdioServerTransport } from ${JSON.stringify('@modelcontextprotocol/sdk/server/stdio.js')};`;
const httpImport = `import { StreamableHTTPServerTransport } from ${JSON.stringify('@modelcontextprotocol/sdk/server/streamableHttp.js')};`;
const both = `${stdioImport}\n${httpImport}\n`;
const pkg = (more: object) => JSON.stringify({ name: 'lamp', type: 'module', dependencies: sdk, ...more });

test('an MCP server of Node with a script for HTTP is started by it, though its plain start comes first', async () => {
  const scripts = { start: 'node server.js', 'start:http': 'MCP_MODE=http node server.js', 'start:stdio': 'MCP_MODE=stdio node server.js' };
  const plan = await planFiles({ 'package.json': pkg({ scripts }), 'server.js': both });
  assert.deepEqual([plan.type, plan.start.at(-1)], ['web', 'MCP_MODE=http node server.js']);
  assert.deepEqual(
    plan.choices?.map(({ start }) => start),
    ['node server.js', 'MCP_MODE=stdio node server.js'],
  );
  const other = await planFiles({ 'package.json': pkg({ scripts, dependencies: { express: '5.0.0' } }), 'server.js': '' });
  assert.deepEqual(other.start, ['node', 'server.js'], 'other agents keep their plain start');
});

test('a server of the package fastmcp speaks through the bridge if it is started over stdin and stdout', async () => {
  const own = pkg({ dependencies: { fastmcp: '1.21.0' }, scripts: { start: 'node server.js' } });
  const start = async (type: string) =>
    (await planFiles({ 'package.json': own, 'server.js': `new FastMCP({}).start({\n  transportType: ${JSON.stringify(type)}\n});\n` }))
      .start;
  assert.deepEqual(await start('stdio'), [...bridge, 'node', 'server.js']);
  assert.deepEqual(await start('httpStream'), ['node', 'server.js']);
});

test('an MCP server that its build bundles speaks through the bridge, too', async () => {
  const files = {
    'package.json': pkg({
      dependencies: {},
      devDependencies: { ...sdk, tsup: '8.0.0' },
      scripts: { build: 'tsup', start: 'node dist/index.js' },
    }),
    'src/index.ts': stdioImport,
  };
  assert.deepEqual((await planFiles(files)).start, [...bridge, 'node', 'dist/index.js']);
});

test('an MCP server that could listen is bridged if the files of directories say that its plain start speaks over stdin and stdout', async () => {
  const files = { 'package.json': pkg({ scripts: { start: 'node server.js' } }), 'server.js': "import './own.js';", 'own.js': both };
  const start = async (more: Record<string, string>) => (await planFiles({ ...files, ...more })).start;
  const yaml = (type: string) => `# how to start\nstartCommand:\n  type: ${type}\n  configSchema:\n    description: a text (one: of two)\n`;
  const json = (...types: string[]) => JSON.stringify({ packages: types.map((type) => ({ transport: { type } })) });
  assert.deepEqual(await start({}), ['node', 'server.js']);
  assert.deepEqual(await start({ 'smithery.yaml': yaml('stdio') }), [...bridge, 'node', 'server.js']);
  assert.deepEqual(await start({ 'smithery.yaml': yaml('http') }), ['node', 'server.js']);
  assert.deepEqual(await start({ 'server.json': json('stdio') }), [...bridge, 'node', 'server.js']);
  assert.deepEqual(await start({ 'server.json': json('stdio', 'streamable-http') }), ['node', 'server.js']);
  assert.deepEqual(await start({ 'server.json': 'no JSON', 'smithery.yaml': '' }), ['node', 'server.js']);
});

test('an MCP server whose mode is stdin and stdout unless an argument says otherwise is bridged', async () => {
  const start = async (source: string) =>
    (
      await planFiles({
        'package.json': pkg({ scripts: { start: 'node server.js' } }),
        'server.js': "import './own.js';",
        'own.js': both + source,
      })
    ).start;
  assert.deepEqual(await start('let mode: "stdio" | "http" = "stdio";'), [...bridge, 'node', 'server.js']);
  assert.deepEqual(await start("if (mode === 'stdio') connect();"), ['node', 'server.js']);
});

const python = {
  'pyproject.toml': '[project]\nname = "lamp-mcp"\nversion = "1"\ndependencies = ["mcp"]\n[project.scripts]\nlamp-mcp = "lamp.cli:app"\n',
  'lamp/__init__.py': '',
  'lamp/cli.py':
    'import typer\nfrom mcp.server.stdio import stdio_server\napp = typer.Typer()\n@app.command()\ndef stdio():\n    pass\n@app.command()\ndef sse():\n    pass\n@app.command("streamable-http")\ndef streamable_http():\n    pass\n',
};

test('a script that is run with an argument for HTTP listens by itself, the newer transport before the older', async () => {
  const told = async (readme: string) => {
    const plan = await planFiles({ ...python, 'README.md': `\`\`\`sh\n${readme}\n\`\`\`\n` });
    return [plan.framework, plan.type, plan.start.at(-1), plan.start.includes(bridge[1]!)];
  };
  assert.deepEqual(await told('lamp-mcp sse'), ['MCP', 'web', 'sse', false]);
  assert.deepEqual(await told('lamp-mcp stdio\nlamp-mcp sse\nlamp-mcp streamable-http'), ['MCP', 'web', 'streamable-http', false]);
  assert.deepEqual(await told('lamp-mcp stdio'), ['MCP', 'web', 'stdio', true]);
});
