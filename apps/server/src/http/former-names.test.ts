import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contract } from '@paddock/contract';
import { startApi } from '../../test/server.ts';
import { openApi } from './docs/openapi.ts';

test('a filter is taken by its name and by its former name, not by both at once, and by no other', async (t) => {
  const { origin, person } = await startApi(t);
  const { token } = await person();
  const get = async (query: string) => {
    const answer = await fetch(`${origin}/api/v1/governance/audit-logs?${query}`, { headers: { authorization: `Bearer ${token}` } });
    return { status: answer.status, body: (await answer.json()) as { logs?: unknown[]; errors?: { path: string }[] } };
  };
  for (const query of ['search=nothing-has-this', 'q=nothing-has-this']) {
    const { status, body } = await get(query);
    assert.deepEqual([status, body.logs], [200, []], query);
  }
  for (const query of ['search=one&q=two', 'q=two&search=one', 'text=one']) assert.equal((await get(query)).status, 422, query);
  assert.deepEqual((await get('q=two&search=one')).body.errors?.[0]?.path, 'q');
  assert.equal((await get(`q=${'x'.repeat(201)}`)).status, 422, 'the former name has the bounds of the field');
});

test('a former name in a body is taken, too', async (t) => {
  const { origin, person } = await startApi(t);
  const { token } = await person();
  const answer = await fetch(`${origin}/api/v1/governance/audit-logs/export`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ q: 'nothing-has-this', format: 'csv' }),
  });
  const text = await answer.text();
  assert.deepEqual([answer.status, text.trim().split('\n').length], [200, 1], text);
});

test('the document lists former names as deprecated', () => {
  const document = openApi(contract, 'test');
  const { parameters = [] } = document.paths['/deployments/{id}/traces']!.get!;
  const named = (wanted: string) => parameters.find(({ name }) => name === wanted);
  assert.deepEqual([named('since')?.deprecated, named('date_from')?.deprecated], [true, undefined]);
  const body = document.components.schemas['GovernanceExportAuditLogsRequest']!;
  assert.deepEqual([body.properties!.q!.deprecated, body.properties!.search!.deprecated], [true, undefined]);
});
