import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planFiles } from '../../test/plan-files.ts';

const pkg = (scripts: Record<string, string>) =>
  JSON.stringify({
    name: 'desk',
    type: 'module',
    scripts: { build: 'vite build', dev: 'concurrently "npm run dev:server" "npm run dev:client"', 'dev:client': 'vite', ...scripts },
    dependencies: { hono: '4.6.0' },
    devDependencies: { vite: '7.0.0' },
  });
const config = (proxy: string) => `import { defineConfig } from ${JSON.stringify('vite')};
export default defineConfig({ server: { port: 5173, ${proxy} } });
`;
const files = { 'index.html': '<p>', 'src/server/index.ts': '', 'src/client/main.ts': '' };
const launcher = '/opt/paddock/launchers/pages-and-server.mjs';

async function start(scripts: Record<string, string>, proxy: string) {
  const plan = await planFiles({ ...files, 'package.json': pkg(scripts), 'vite.config.ts': config(proxy) });
  return plan.start;
}

test('pages of Vite run with the server that their development server passes requests to', async () => {
  const server = { 'dev:server': 'tsx watch src/server/index.ts' };
  const command = ['tsx', 'src/server/index.ts'];
  assert.deepEqual(await start(server, "proxy: { '/api': { target: 'http://localhost:3001', changeOrigin: true } }"), [
    'node',
    launcher,
    'dist',
    '3001',
    '/api',
    '--',
    ...command,
  ]);
  const cut = `proxy: {
    '/ws': { target: 'http://127.0.0.1:3001', ws: true },
    "/api": { target: "http://127.0.0.1:3001", rewrite: (path) => path.replace(/^\\/api/, '') },
  }`;
  assert.deepEqual((await start(server, cut)).slice(2), ['dist', '3001', '/ws', '=/api', '--', ...command]);
  const short = await start({ server: 'node server.js' }, "proxy: { '/api': 'http://localhost:4000' }");
  assert.deepEqual(short, ['node', '/opt/paddock/launchers/static-server.mjs', 'dist'], 'the script names no file of the archive');
});

test('pages alone stay pages: without a script for a server, a passed path, or one port for all of them', async () => {
  const alone = ['node', '/opt/paddock/launchers/static-server.mjs', 'dist'];
  const server = { server: 'tsx src/server/index.ts' };
  assert.deepEqual(await start({}, "proxy: { '/api': 'http://localhost:3001' }"), alone);
  assert.deepEqual(await start(server, 'open: true'), alone);
  assert.deepEqual(await start(server, "proxy: { '/api': 'https://api.desk.example' }"), alone);
  assert.deepEqual(await start(server, "proxy: { '/api': 'http://localhost:8080' }"), alone, 'the port of the agent itself');
  assert.deepEqual(await start(server, "proxy: { '/api': 'http://localhost:3001', '/auth': 'http://localhost:3002' }"), alone);
});
