import { expect, test, vi } from 'vitest';
import { createDemoWorld } from '../../../demo/demo-world.ts';
import { demoGovernance } from './answers.ts';
import { demoCompliance } from './compliance.ts';
import { demoDataSubjects } from './data-subjects.ts';
import { demoPolicies } from './policies.ts';
import { sampleRecords } from './records.ts';

const sampleOf = (world = createDemoWorld()) => {
  const records = sampleRecords(
    world.deployments.map(({ row }) => row),
    Date.now(),
  );
  return { world, records, governance: demoGovernance(world, records) };
};
const sample = () => sampleOf().governance;

test('the demo has 100 records 5 minutes apart, of all types, statuses and agents, and the same ones each time', async () => {
  const governance = sample();
  const first = await governance.auditLogs({ limit: 50 });
  const second = await governance.auditLogs({ limit: 50, cursor: first.next_cursor ?? '' });
  const logs = [...first.logs, ...second.logs];
  expect(first.match_count).toBe(100);
  expect(second.next_cursor).toBeNull();
  expect(logs.map(({ seq }) => seq)).toEqual(Array.from({ length: 100 }, (_, index) => 100 - index));
  const times = logs.map(({ timestamp }) => Date.parse(timestamp));
  expect(times.slice(1).every((time, index) => (times[index] ?? 0) - time === 300_000)).toBe(true);
  expect(new Set(logs.map(({ action_type }) => action_type)).size).toBe(6);
  expect(new Set(logs.map(({ status }) => status)).size).toBe(3);
  expect(new Set(logs.map(({ agent_name }) => agent_name)).size).toBe(4);
  expect(new Set(logs.map(({ hash }) => hash)).size).toBe(100);
  expect(logs.every(({ hash }) => /^[0-9a-f]{64}$/.test(hash))).toBe(true);
  const again = await sample().auditLogs({ limit: 100 });
  expect(again.logs.map(({ id, action }) => [id, action])).toEqual(logs.map(({ id, action }) => [id, action]));
});

test('the filters of the demo narrow its records, and its export holds what they leave', async () => {
  const governance = sample();
  const { logs } = await governance.auditLogs({ action_type: 'error', status: 'error', search: 'CHAT' });
  expect(logs.length).toBeGreaterThan(0);
  expect(logs.every(({ action_type, action }) => action_type === 'error' && action.includes('chat'))).toBe(true);
  const filter = { action_type: 'error', status: 'error', search: 'chat' } as const;
  expect(JSON.parse(await governance.exportAuditLogs(filter))).toEqual({ logs });
  const lines = (await governance.exportAuditLogs({ ...filter, format: 'jsonl' })).trimEnd().split('\n');
  expect(lines.map((line) => (JSON.parse(line) as { id: string }).id)).toEqual(logs.map(({ id }) => id));
  expect((await governance.exportAuditLogs({ ...filter, format: 'csv' })).trimEnd().split('\r\n')).toHaveLength(logs.length + 1);
});

test('a record of the demo leads to its trace, whose lineage leads back to the record', async () => {
  const governance = sample();
  const { logs } = await governance.auditLogs({ limit: 100, action_type: 'request' });
  const traced = logs.find(({ trace_id }) => trace_id !== null);
  const lineage = await governance.lineage({ trace_id: traced?.trace_id ?? '' });
  const stages = lineage.stages.map(({ stage }) => stage);
  expect(stages.slice(0, 4)).toEqual(['received', 'scanned', 'forwarded', 'agent']);
  expect(stages.slice(-2)).toEqual(['answered', 'recorded']);
  expect(lineage.deployment_id).toMatch(/^dep_/);
  const { logs: ofTrace } = await governance.auditLogs({ trace_id: lineage.trace_id });
  expect(ofTrace.map(({ id }) => id)).toContain(lineage.stages[0]?.audit_id);
  await expect(governance.lineage({ trace_id: 'a'.repeat(32) })).rejects.toMatchObject({ code: 'trace_not_found' });
});

test('the newest chat of the demo has a trace, whatever the clock says', () => {
  const rows = createDemoWorld().deployments.map(({ row }) => row);
  const minute = 60_000;
  const from = Math.floor(Date.now() / minute) * minute;
  const without = Array.from({ length: 8 * 60 }, (_, n) => from + n * minute).filter((now) => {
    const newest = sampleRecords(rows, now).find(({ action, action_type }) => action_type === 'request' && action.endsWith('/completions'));
    return newest?.trace_id === null;
  });
  expect(without).toEqual([]);
});

test('the stand-in for the detector marks and redacts what it finds', async () => {
  const text = 'ada@example.org, +44 20 7946 0958, version 1.2.3, order 4711';
  const { findings, redacted } = await sample().scan({ text });
  expect(findings.map(({ type, start, end }) => [type, text.slice(start, end)])).toEqual([
    ['Email', 'ada@example.org'],
    ['Phone', '+44 20 7946 0958'],
  ]);
  expect(redacted).toBe('[EMAIL], [PHONE], version 1.2.3, order 4711');
});

test('figures of a part of the time are a part of the figures, and settings last until reload', async () => {
  const { world, governance } = sampleOf();
  const all = await governance.piiDetection();
  const day = await governance.piiDetection({ date_from: new Date(Date.now() - 86_400_000).toISOString() });
  expect(all.pii_detected).toBe(Object.values(all.types_detected).reduce((sum, count) => sum + count, 0));
  expect(day.total_scans).toBeLessThan(all.total_scans);
  const id = world.projects[0]?.id ?? '';
  const { is_default, ...settings } = await governance.dataProtection({ id });
  expect(is_default).toBe(true);
  await governance.setDataProtection({ id, ...settings, bodies: 'none' });
  expect(await governance.dataProtection({ id })).toMatchObject({ bodies: 'none', is_default: false });
});

test('compliance of the demo agrees with itself: each framework counts what its details hold, and a waiver takes a violation away', async () => {
  const compliance = demoCompliance();
  const { frameworks, score } = await compliance.overview();
  expect(score).toBe(98.5);
  for (const { framework, status, violations } of frameworks) {
    const detail = await compliance.detail({ framework });
    expect(detail).toMatchObject({ status, violations: { length: violations }, details: { length: violations } });
    expect(detail.checks_passed + detail.checks_failed + detail.checks_unverified + detail.checks_not_applicable).toBe(
      detail.controls.length,
    );
  }
  const waiver = { control: 'AUD-03', owner: 'Ada', reason: 'Exported every night.', expires_at: new Date().toISOString() } as const;
  const { id } = await compliance.createWaiver(waiver);
  expect(await compliance.detail({ framework: 'hipaa' })).toMatchObject({ status: 'compliant', violations: [] });
  await compliance.deleteWaiver({ id });
  expect((await compliance.detail({ framework: 'hipaa' })).violations).toHaveLength(1);
  await expect(compliance.deleteWaiver({ id })).rejects.toMatchObject({ code: 'waiver_not_found' });
});

test('a check of the demo is under way until each control is checked, and dates what it checked', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const compliance = demoCompliance();
  const { id, controls_total } = await compliance.check({ framework: 'gdpr' });
  const { run, last_checked } = await compliance.detail({ framework: 'gdpr' });
  expect(run).toMatchObject({ id, status: 'running', controls_total: 36 });
  await vi.advanceTimersByTimeAsync(4_000);
  expect(await compliance.run({ id })).toMatchObject({ status: 'completed', controls_done: controls_total });
  const after = await compliance.detail({ framework: 'gdpr' });
  expect(after.run).toBeNull();
  expect(after.last_checked && last_checked && after.last_checked > last_checked).toBe(true);
  vi.useRealTimers();
});

test('policies of the demo understand their rules and last until reload', async () => {
  const policies = demoPolicies();
  const { policies: first } = await policies.list();
  expect(first.filter(({ status }) => status === 'active')).toHaveLength(3);
  expect(first.flatMap(({ rules }) => rules)).toEqual(
    expect.arrayContaining(['Alert after 3 failed logins', 'API keys expire within 90 days']),
  );
  const { id } = await policies.create({ name: 'New', rules: ['Require health path', '', 'Be kind'] });
  const [made] = (await policies.list()).policies;
  expect(made).toMatchObject({ id, type: 'data_retention', status: 'draft', understood: [{ is_enforced: true }, { is_enforced: false }] });
  await policies.delete({ id });
  await expect(policies.update({ id, name: 'New', rules: ['x'] })).rejects.toMatchObject({ code: 'policy_not_found' });
});

test('a request finds what the samples hold, and what was erased is neither shown nor found again', async () => {
  const { world, records, governance } = sampleOf();
  const subjects = demoDataSubjects(world, records);
  const asked = { identifiers: ['203.0.113.42'], reference: 'of 203.0.113.42' };
  const done = async ({ id }: { id: string }) => {
    await vi.advanceTimersByTimeAsync(4_000);
    return subjects.get({ id });
  };
  const find = async () => done(await subjects.create({ kind: 'find', ...asked }));
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const found = await find();
  const [records_found] = found.places;
  expect([found.status, found.reference, records_found?.found]).toEqual(['completed', 'of [ERASED]', 1]);
  const erased = await done(await subjects.erase({ id: found.id, ...asked, password: 'demo' }));
  expect(erased.places[0]?.erased).toBe(1);
  expect(JSON.parse(erased.certificate ?? '')).toMatchObject({ request_id: erased.id });
  const log = await governance.auditLog({ id: records_found?.examples[0]?.id ?? '' });
  expect([log.is_erased, log.metadata.ip_address]).toEqual([true, null]);
  expect((await find()).places[0]?.found).toBe(0);
  vi.useRealTimers();
});
