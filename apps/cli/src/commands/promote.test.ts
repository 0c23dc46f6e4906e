import assert from 'node:assert/strict';
import { test } from 'node:test';
import { run, scriptedApi } from '../databases/scripted-api.ts';

const project = { id: `prj_${'1'.repeat(16)}`, name: 'desk', url: 'http://desk.localhost:4001' };
const row = (digit: string, environment: string) => ({
  id: `dep_${digit.repeat(16)}`,
  project_id: project.id,
  project_name: 'desk',
  environment,
  is_current: true,
  status: 'active',
});

async function serve(t: Parameters<typeof scriptedApi>[0]) {
  const sent: object[] = [];
  const preview = row('1', 'preview');
  const server = await scriptedApi(t, {
    'GET /projects': () => ({ projects: [project], next_cursor: null }),
    'GET /deployments': ({ environment }) => ({
      deployments: [row(environment === 'preview' ? '1' : '2', String(environment))],
      next_cursor: null,
    }),
    [`GET /deployments/${row('2', 'production').id}`]: () => row('2', 'production'),
    [`POST /deployments/${preview.id}/redeploy`]: (input) => (sent.push(input), row('3', 'production')),
    [`POST /deployments/${row('2', 'production').id}/redeploy`]: (input) => (sent.push(input), row('3', 'production')),
    [`PUT /projects/${project.id}`]: (input) => (sent.push(input), { ...project, ...input }),
  });
  return { ...server, sent };
}

test('promote deploys the preview that serves the project to production', async (t) => {
  const { url, sent } = await serve(t);
  const { code, out, notes } = await run(url, ['promote', 'desk', '--no-wait']);
  assert.equal(code, 0, notes);
  assert.equal(out.trim(), `dep_${'3'.repeat(16)}`);
  assert.deepEqual(sent, [{ environment: 'production' }]);
  assert.match(notes, /Promoting dep_1{16} to production as dep_3{16}/);
});

test('a deployment to production is not promoted, and the refusal names the rollback', async (t) => {
  const { url, sent } = await serve(t);
  const { code, notes } = await run(url, ['promote', `dep_${'2'.repeat(16)}`]);
  assert.equal(code, 2);
  assert.match(notes, /in production already\. To go back to it: paddock rollback dep_2{16}/);
  assert.deepEqual(sent, []);
});

test('redeploy sends the changes that are given, and no others', async (t) => {
  const { url, sent } = await serve(t);
  assert.equal((await run(url, ['redeploy', 'desk', '--no-wait'])).code, 0);
  assert.equal((await run(url, ['redeploy', 'desk', '--packages', 'ddgs', '--root', '', '--no-wait'])).code, 0);
  assert.deepEqual(sent, [{}, { packages: 'ddgs', root: '' }]);
});

test('a project is renamed, and its address is told', async (t) => {
  const { url, sent } = await serve(t);
  const { code, out, notes } = await run(url, ['projects', 'rename', 'desk', 'bureau']);
  assert.equal(code, 0, notes);
  assert.match(out, /Renamed desk to bureau\. It answers at http:\/\/desk\.localhost:4001/);
  assert.deepEqual(sent, [{ name: 'bureau' }]);
  assert.match((await run(url, ['projects', 'rename', 'desk', 'No Name'])).notes, /Project name/);
});
