// A person appears in bodies, logs, spans and facts. After the erasure no file of the database, no export and no API call has the person,
// and the audit trail still verifies.
import assert from 'node:assert/strict';
import { createReadStream } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { countToErase, defaultDataProtection } from '@paddock/contract';
import { connect } from '../apps/server/src/db/connect.ts';
import { inReverse } from '../apps/server/test/in-reverse.ts';
import { deploy, reaches, startPlatform, until } from '../apps/server/test/platform.ts';
import type { Api } from '../apps/server/test/server.ts';
import { verifyErasure } from '../packages/audit-verifier/src/erasure.ts';
import { ownPostgres } from './own-postgres.ts';

const person = 'zorbach.planted@example.com';
const written = 'Zorbach.Planted@Example.com';
const bystander = 'somebody.else@example.com';

/** An agent that writes the caller's data to its log and its span. */
const agent = {
  'server.js': `const http = require('http');
const post = (path, body) => new Promise((done) => {
  const to = new URL(process.env.OTEL_EXPORTER_OTLP_ENDPOINT + path);
  const headers = Object.fromEntries((process.env.OTEL_EXPORTER_OTLP_HEADERS || '').split(',').filter(Boolean).map((one) => one.split('=').map(decodeURIComponent)));
  const call = http.request(to, { method: 'POST', headers: { ...headers, 'content-type': 'application/json' } }, (answer) => answer.resume().on('end', done));
  call.on('error', done);
  call.end(JSON.stringify(body));
});
http.createServer(async (q, r) => {
  const parts = [];
  for await (const part of q) parts.push(part);
  const sent = Buffer.concat(parts).toString();
  const who = sent ? JSON.parse(sent).from : 'nobody';
  console.log('a question of ' + who);
  const [, trace = '', span = ''] = (q.headers.traceparent || '').split('-');
  const now = BigInt(Date.now()) * 1000000n;
  await post('/v1/traces', { resourceSpans: [{ resource: { attributes: [] }, scopeSpans: [{ spans: [{ traceId: trace, spanId: 'abcdefabcdefabcd', parentSpanId: span, name: 'look up', kind: 1, startTimeUnixNano: String(now), endTimeUnixNano: String(now + 1000n), attributes: [{ key: 'customer', value: { stringValue: who } }] }] }] }] });
  r.setHeader('content-type', 'application/json');
  r.end(JSON.stringify({ reply: 'hello ' + who }));
}).listen(process.env.PORT);`,
};

const asked = (port: number, from: string) =>
  new Promise<void>((resolve, reject) => {
    const headers = { host: 'known.localhost', 'content-type': 'application/json' };
    const call = request({ host: '127.0.0.1', port, method: 'POST', path: '/ask', headers, timeout: 10_000 }, (answer) => {
      answer.resume().on('end', () => (answer.statusCode === 200 ? resolve() : reject(new Error(`answered ${answer.statusCode}`))));
    });
    call.on('error', reject);
    call.end(JSON.stringify({ from }));
  });

async function requested(api: Api, kind: 'find' | 'erase') {
  const asked = { identifiers: [person], reference: `ticket of ${person}` };
  let { id } = await api.dataSubjects.create({ kind: 'find', ...asked });
  const ended = (found: string) =>
    until(`the request to ${kind}`, async () => ['completed', 'failed'].includes((await api.dataSubjects.get({ id: found })).status));
  await ended(id);
  if (kind === 'erase') {
    const { places } = await api.dataSubjects.get({ id });
    ({ id } = await api.dataSubjects.erase({ id, ...asked, password: 'correct horse', confirmed_count: countToErase(places) }));
    await ended(id);
  }
  const done = await api.dataSubjects.get({ id });
  assert.equal(done.error, null);
  return { ...done, counts: Object.fromEntries(done.places.map(({ place, found }) => [place, found])) };
}

test('a person who was erased is in no file of the database, no export and no answer, the trail verifies, and so does the certificate', {
  timeout: 300_000,
}, async (t) => {
  const scope = inReverse(t);
  const folder = await mkdtemp(join(tmpdir(), 'paddock-erasure-'));
  scope.after(() => rm(folder, { recursive: true, force: true }));
  const postgres = await ownPostgres(join(folder, 'postgres'));
  scope.after(() => postgres.end());
  const paddock = await startPlatform(scope, {}, { databaseUrl: postgres.url });
  const sql = connect(postgres.url, { max: 1, name: 'erasure-test' });
  scope.after(() => sql.end());
  const { api } = await paddock.person();
  const { id: project_id } = await api.projects.create({ name: 'known' });
  const allowed = Object.fromEntries(Object.keys(defaultDataProtection.rules).map((type) => [type, { action: 'allow', traffic: 'none' }]));
  await api.governance.setDataProtection({ ...defaultDataProtection, id: project_id, rules: allowed as never });
  const { id } = await deploy(api, project_id, agent);
  await reaches(api, id, ['active']);
  for (const from of [person, bystander, written, person]) await asked(paddock.gatewayPort, from);

  await until(
    'records, lines and spans are stored',
    async () => {
      const { counts } = await requested(api, 'find');
      return counts.records! >= 6 && counts.logs! >= 3 && counts.traces! >= 3;
    },
    90,
  );
  const { counts, certificate, places } = await requested(api, 'erase');
  assert.ok(counts.records! >= 6 && counts.logs! >= 3 && counts.traces! >= 3, JSON.stringify(counts));
  for (const { place, found, erased } of places) if (['records', 'logs', 'traces'].includes(place)) assert.ok(erased >= found, place);

  assert.deepEqual((await requested(api, 'find')).counts, { records: 0, facts: 0, logs: 0, traces: 0, accounts: 0 });
  const verified = await api.governance.verifyAuditLogs({});
  assert.deepEqual([verified.valid, verified.first_bad], [true, null]);
  const exported = await api.governance.exportAuditLogs({ format: 'jsonl' });
  assert.doesNotMatch(exported, new RegExp(person, 'i'));
  assert.match(exported, new RegExp(bystander), 'others stay');
  assert.match(await logOf(api, id), /a question of \[ERASED\]/);
  assert.doesNotMatch(JSON.stringify(await api.dataSubjects.list({})), new RegExp(person, 'i'), 'nor do the requests keep who it was');
  await sql`checkpoint`;
  assert.deepEqual(await filesWith(postgres.folder, person), []);
  assert.notDeepEqual(await filesWith(postgres.folder, bystander), [], 'the search finds what is there');

  const file = join(folder, 'certificate.json');
  await writeFile(file, `${certificate}\n`);
  const { chain } = await api.governance.summary({});
  assert.equal(verifyErasure(file, chain.public_key).verdict, 'valid');
  await writeFile(file, certificate!.replace('"erased":', '"erased":1'));
  assert.equal(verifyErasure(file, chain.public_key).verdict, 'broken');
});

async function logOf(api: Api, deployment_id: string): Promise<string> {
  const { logs } = await api.logs.list({ id: deployment_id });
  return logs.map(({ message }) => message).join('\n');
}

/** Files below a folder that contain this text in any case. Chunks overlap, so that no match is split between two. */
async function filesWith(folder: string, text: string): Promise<string[]> {
  const found: string[] = [];
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    let kept = '';
    for await (const piece of createReadStream(join(entry.parentPath, entry.name), 'latin1')) {
      const both = kept + String(piece);
      if (both.toLowerCase().includes(text)) {
        found.push(join(entry.parentPath, entry.name).slice(folder.length));
        break;
      }
      kept = both.slice(-200);
    }
  }
  return found;
}
