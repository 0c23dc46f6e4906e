import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../../../../../scripts/test/free-port.ts';
import { alertRules, guide, queries } from '../../../../test/dashboard.ts';
import { metricsRows } from '../../../../test/metrics-rows.ts';
import { ago, answers, hour, minute } from '../../../../test/observability.ts';
import { until } from '../../../../test/platform.ts';
import { startApi } from '../../../../test/server.ts';
import { teamOf } from '../../../../test/team-of.ts';

const has = (program: string) => spawnSync(program, ['--version'], { stdio: 'ignore', timeout: 10_000 }).status === 0;
// `npm test` does not install Prometheus: Debian's package starts a service that listens on every address of the machine.
const lacks =
  !(has('promtool') && has('prometheus')) &&
  "needs Debian's Prometheus: `apt-get install --no-install-recommends prometheus` (its service is not needed: `systemctl disable --now prometheus`)";
const metricsToken = 'token-of-a-real-prometheus';

/** A server with an agent that had visitors, a database, a node and a job. */
async function watched(t: TestContext) {
  const { origin, sql, person } = await startApi(t, { metricsToken });
  const { api } = await person();
  const { id: project_id } = await api.projects.create({ name: 'shop' });
  const team_id = await teamOf(sql, { project_id });
  const made = metricsRows({ sql });
  const team = { team_id, project_id, user_id: 'usr', email: 'ada@example.com' };
  const id = await made.deployment(team, { at: ago(hour) });
  await made.visits(id, { at: ago(minute), visits: answers({ 200: 40, 404: 2, 500: 1 }) });
  const memory = { memory_bytes: 64 * 1024 ** 2, memory_limit_bytes: 512 * 1024 ** 2 };
  await sql`insert into usage_minutes ${sql({ ...memory, deployment_id: id, at: ago(0).toISOString(), measured_ms: 1000, cpu_ms: 100, cpu_limit_ms: 1000 })}`;
  const database = { project_id, team_id, environment: 'production', type: 'postgresql', mode: 'managed', status: 'available' };
  const secret = { secret_sealed: Buffer.from('x'), secret_key_id: 'k' };
  await sql`insert into databases ${sql({ ...database, ...secret, id: 'db_shop', size_bytes: 1024, storage_limit_bytes: 4096 })}`;
  await sql`insert into database_samples (database_id, at, connections, memory_bytes) values ('db_shop', now(), 2, 1024)`;
  await sql`insert into nodes (label, owner, host, machine, blob_store, timeout_s) values ('node', 'x', 'h', 'm', 's', 600)`;
  await sql`insert into periodic_jobs (name, last_run_at) values ('a.run', now())`;
  return { origin, id };
}

async function folder(t: TestContext) {
  const made = await mkdtemp(join(tmpdir(), 'paddock-prometheus-'));
  t.after(() => rm(made, { recursive: true, force: true }));
  return made;
}

/** The scrape config of the guide, for this server, every half second. Prometheus listens on the loopback alone. */
async function startPrometheus(t: TestContext, origin: string) {
  const dir = await folder(t);
  const told = /^scrape_configs:\n[^]*?(?=^```)/m.exec(guide())?.[0] ?? '';
  const config = told.replace('/etc/prometheus/paddock-token', join(dir, 'token')).replace('localhost:4000', new URL(origin).host);
  assert.ok(config.includes(dir) && config.includes(new URL(origin).host), told);
  await writeFile(join(dir, 'token'), `${metricsToken}\n`, { mode: 0o600 });
  await writeFile(join(dir, 'rules.yml'), alertRules());
  await writeFile(
    join(dir, 'prometheus.yml'),
    `global:\n  scrape_interval: 500ms\n  scrape_timeout: 500ms\nrule_files: [rules.yml]\n${config}`,
  );
  const port = await freePort();
  const args = [
    `--config.file=${join(dir, 'prometheus.yml')}`,
    `--storage.tsdb.path=${join(dir, 'data')}`,
    `--web.listen-address=127.0.0.1:${port}`,
  ];
  const server = spawn('prometheus', args, { stdio: ['ignore', 'ignore', 'pipe'], cwd: dir });
  let said = '';
  server.stderr.on('data', (chunk: Buffer) => (said = (said + chunk.toString()).slice(-5000)));
  t.after(async () => {
    if (server.exitCode !== null) return;
    server.kill('SIGKILL');
    await once(server, 'exit');
  });
  return async (path: string, query: Record<string, string> = {}) => {
    assert.equal(server.exitCode, null, said);
    const url = `http://127.0.0.1:${port}/api/v1/${path}?${new URLSearchParams(query)}`;
    const answer = await fetch(url, { signal: AbortSignal.timeout(10_000) }).catch(() => undefined);
    return (await answer?.json().catch(() => undefined)) as { status: string; error?: string; data: Found } | undefined;
  };
}
interface Found {
  result: { metric: Record<string, string>; value: [number, string] }[];
  activeTargets: { health: string; lastError: string }[];
  groups: { rules: { health: string }[] }[];
}

test("promtool has no complaint about the metrics, nor about the guide's alerts", { skip: lacks }, async (t) => {
  const { origin } = await watched(t);
  const text = await (await fetch(`${origin}/-/metrics`, { headers: { authorization: `Bearer ${metricsToken}` } })).text();
  assert.ok(text.length > 5000);
  const checked = spawnSync('promtool', ['check', 'metrics'], { input: text, encoding: 'utf8', timeout: 60_000 });
  assert.deepEqual([checked.status, checked.stdout, checked.stderr], [0, '', '']);
  const rules = join(await folder(t), 'rules.yml');
  await writeFile(rules, alertRules());
  const lint = spawnSync('promtool', ['check', 'rules', rules], { encoding: 'utf8', timeout: 60_000 });
  assert.deepEqual([lint.status, lint.stderr], [0, ''], lint.stdout);
});

test("a real Prometheus with the guide's configuration scrapes the server, and every query of the dashboard finds something", {
  skip: lacks,
}, async (t) => {
  const { origin, id } = await watched(t);
  const asked = await startPrometheus(t, origin);
  const resultOf = async (query: string) => {
    const answer = await asked('query', { query });
    assert.ok(!answer || answer.status === 'success', `${query}: ${answer?.error}`);
    return answer?.data.result ?? [];
  };
  await until('Prometheus has scraped', async () => (await resultOf('paddock_agent_requests_total')).length > 0);
  const of = `{project="shop",environment="production",deployment="${id}"`;
  assert.deepEqual(
    (await resultOf(`paddock_agent_requests_total${of},code="2xx"}`)).map(({ value }) => value[1]),
    ['40'],
  );
  const [quantile] = await resultOf(`histogram_quantile(0.5, paddock_agent_request_duration_seconds_bucket${of}})`);
  assert.ok(Number(quantile?.value[1]) > 0.05 && Number(quantile?.value[1]) <= 0.1, quantile?.value[1]);
  const up = await resultOf('up{job="paddock"}');
  assert.deepEqual(
    up.map(({ value }) => value[1]),
    ['1'],
  );
  const targets = await asked('targets');
  assert.deepEqual(
    targets?.data.activeTargets.map(({ health, lastError }) => [health, lastError]),
    [['up', '']],
  );
  const empty = async () => {
    const found = await Promise.all(
      queries('1m').map(async ({ title, expr }) => ((await resultOf(expr)).length > 0 ? '' : `${title}: ${expr}`)),
    );
    return found.filter(Boolean);
  };
  // A rate needs two scrapes.
  for (let tries = 0; tries < 100 && (await empty()).length > 0; tries++) await sleep(300);
  assert.deepEqual(await empty(), []);
});
