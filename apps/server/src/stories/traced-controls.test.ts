import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { stepRunner } from '@paddock/runtime';
import { deploy, reaches, startPlatform, until } from '../../test/platform.ts';
import { teamOf } from '../../test/team-of.ts';
import { connect } from '../db/connect.ts';
import type { Control } from '../features/governance/compliance/control.ts';
import { lineageControl } from '../features/governance/compliance/controls/lin-01-lineage.ts';
import { isolationControl } from '../features/governance/compliance/controls/net-02-isolation.ts';
import { providerControl } from '../features/governance/compliance/controls/tpm-01-providers.ts';
import { seenProviders } from '../features/governance/model-providers/seen.ts';
import { modelProviderStore } from '../features/governance/model-providers/store.ts';
import { createLog } from '../log.ts';

const home = mkdtempSync(join(tmpdir(), 'paddock-traced-'));
after(() => rmSync(home, { recursive: true, force: true }));
const signal = AbortSignal.timeout(600_000);

/** Reports a model call for each request except those of /silent, as an OpenTelemetry library would. */
const agent = `
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_HEADERS: given, PORT } = process.env;
const headers = Object.fromEntries(given.split(',').map((one) => one.split('=')));
const text = (key, stringValue) => ({ key, value: { stringValue } });
async function tell(traceparent) {
  const [, traceId, parentSpanId] = traceparent.split('-');
  const now = BigInt(Date.now()) * 1000000n;
  const attributes = [text('gen_ai.operation.name', 'chat'), text('gen_ai.provider.name', 'openai'), text('gen_ai.request.model', 'gpt-4o'), text('server.address', 'api.openai.com')];
  const span = { traceId, spanId: randomBytes(8).toString('hex'), parentSpanId, name: 'chat gpt-4o', kind: 3, startTimeUnixNano: String(now), endTimeUnixNano: String(now + 1000n), attributes };
  const body = JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] });
  // A busy receiver asks for a retry, which libraries do.
  for (let tries = 0; tries < 50; tries++) {
    const { ok } = await fetch(endpoint + '/v1/traces', { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body });
    if (ok) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
createServer(async (request, response) => {
  if (request.url === '/chat') await tell(request.headers.traceparent);
  response.end('ok');
}).listen(PORT);
`;

test('what agents call is compared with the register, their traces lead from caller to model, and no sandbox reaches them', async (t) => {
  const platform = await startPlatform(t);
  const sql = connect(platform.databaseUrl, { max: 2 });
  t.after(() => sql.end());
  const { api } = await platform.person();
  const { id: project_id } = await api.projects.create({ name: 'traced' });
  const team_id = await teamOf(sql, 'the only project');
  const run = (control: Control) => (control.of === 'team' ? control.check(team_id, signal) : control.check(signal));
  const providers = async () =>
    (await run(providerControl({ sql, modelProviders: modelProviderStore(sql).list, seenProviders: seenProviders(sql), now: Date.now })))
      .resources;
  const lineage = async (now = Date.now()) => (await run(lineageControl({ sql, now: () => now }))).resources;
  const visit = async (path: string) => assert.equal((await platform.visit('traced.localhost', path)).body, 'ok');

  assert.deepEqual([await providers(), await lineage()], [[], []], 'nothing runs');
  const files = { 'package.json': '{"type": "module", "scripts": {"start": "node server.js"}}', 'server.js': agent };
  const { id } = await deploy(api, project_id, files);
  await reaches(api, id, ['active']);
  const later = Date.now() + 25 * 3_600_000;
  assert.deepEqual(
    (await lineage(later)).map((one) => one.status),
    ['unverified'],
  );

  await visit('/chat');
  await until('the call of the model is seen', async () => (await providers()).some((one) => one.type === 'model_provider'));
  const [unlisted] = await providers();
  assert.equal(unlisted?.status, 'failed');
  assert.match(
    unlisted?.finding ?? '',
    /^openai at api\.openai\.com is called and not in the register of model providers: 1 call by traced, /,
  );
  assert.equal(unlisted?.fix?.path, '/governance?tab=data-governance');
  const { seen } = await api.modelProviders.list();
  assert.deepEqual(
    seen.map(({ provider, host, calls, projects, register }) => ({ provider, host, calls, projects, register })),
    [{ provider: 'openai', host: 'api.openai.com', calls: 1, projects: ['traced'], register: null }],
  );
  await api.modelProviders.set({ providers: [{ provider: 'OpenAI', agreement: 'none' }] });
  assert.match((await providers())[0]?.finding ?? '', /in the register without an agreement/);
  await api.modelProviders.set({ providers: [{ provider: 'OpenAI', agreement: 'dpa', region: 'eu' }] });
  assert.deepEqual(
    (await providers()).map((one) => one.status),
    ['passed'],
  );
  const { models } = await api.residency.get();
  assert.deepEqual([models[0]?.host, models[0]?.register?.region], ['api.openai.com', 'eu']);

  await until('the trace leads to its model', async () => (await lineage())[0]?.status === 'passed');
  await visit('/silent');
  await until('the gap is found', async () => (await lineage())[0]?.status === 'failed');
  const [gap] = await lineage();
  assert.match(gap?.finding ?? '', /lead from the caller to models and tools: \d+ traces? of which the agent told nothing\.$/);
  assert.equal(gap?.fix?.path, `/deployments/${id}`);
  for (let visits = 0; visits < 250; visits++) await visit('/chat');
  await until('the gap is less than one in a hundred', async () => (await lineage())[0]?.status === 'passed');

  const sandbox = stepRunner({ dataDir: home, installation: 'test', log: createLog('error', process.stderr) });
  const isolated = await run(isolationControl({ sql, sandbox, egressAllow: [], log: createLog('error', process.stderr) }));
  assert.match(isolated.looked_at, /, 1 agent of other projects among them,/);
  assert.deepEqual(
    isolated.resources.map((one) => one.status),
    ['passed', 'passed', 'passed'],
  );
  // All teams see it, so it must not name whose agent was called.
  assert.doesNotMatch(JSON.stringify(isolated), /prj_/);
});
