import { type DataProtectionSettings, defaultDataProtection } from '@paddock/contract/data-protection';
import { governanceLimits } from '@paddock/contract/limits';
import { expect, test } from 'vitest';
import { evidenceRows } from './compliance/evidence-rows.ts';
import { controlLook, everyText, frameworkLook, percentText, violationsText } from './compliance/words.ts';
import { splitAtFindings } from './data/marked-text.ts';
import { fieldText, parseMoment } from './moments.ts';
import { parseRules } from './policies/words.ts';
import { merged, sameSettings } from './protection/merged.ts';
import { consequence } from './protection/words.ts';
import { isCutShort } from './queries.ts';
import { fileTime } from './trail/export-formats.ts';
import { bodyNotes, findDeploymentId } from './trail/record-data.ts';
import { isFiltered, resolveTab, toAuditFilter } from './view.ts';
import { visibleJson } from './visible-json.ts';
import { matchesText } from './words.ts';

test('what the API would refuse in an address is no filter', () => {
  expect(toAuditFilter({ type: 'nonsense', from: 'yesterday', to: '2026-13-40T00:00:00Z', trace: 'abc' })).toEqual({});
  expect(isFiltered({ type: 'nonsense' })).toBe(false);
  const from = '2026-11-23T09:00:00.000Z';
  expect(toAuditFilter({ q: 'chat', type: 'error', from, trace: 'a'.repeat(32) })).toEqual({
    search: 'chat',
    action_type: 'error',
    date_from: from,
    trace_id: 'a'.repeat(32),
  });
});

test('a moment is written and read in the zone of the page, and a year in the midst of typing is none', () => {
  const moment = '2026-11-23T09:30:00.000Z';
  expect(fieldText(moment, 'utc')).toBe('2026-11-23T09:30');
  for (const zone of ['utc', 'local'] as const) expect(parseMoment(fieldText(moment, zone), zone)).toBe(moment);
  expect(parseMoment('0020-11-23T09:30', 'utc')).toBeUndefined();
  expect(parseMoment('', 'utc')).toBeUndefined();
});

test('a count that ended says so, and without a count the rows speak', () => {
  expect(matchesText(governanceLimits.counted, { shown: 50, hasMore: true })).toBe('10,000+');
  expect(matchesText(9_999, { shown: 50, hasMore: true })).toBe('9,999');
  expect(matchesText(null, { shown: 50, hasMore: true })).toBe('50+');
  expect(matchesText(null, { shown: 7, hasMore: false })).toBe('7');
});

test('a page that is not full was cut short unless it is the last', () => {
  expect(isCutShort([{ logs: [1, 2], next_cursor: 'c' }])).toBe(true);
  expect(isCutShort([{ logs: Array.from({ length: 50 }), next_cursor: 'c' }])).toBe(false);
  expect(isCutShort([{ logs: [], next_cursor: null }])).toBe(false);
});

test('JSON with letters that hide or turn a text around shows them, and is still the same JSON', () => {
  const value = { 'user\u202e': 'a\u200bb\u009b' };
  const shown = visibleJson(value);
  expect(shown).not.toMatch(/[\u200b\u202e\u009b]/);
  expect(JSON.parse(shown)).toEqual(value);
});

test('a text is marked where something was found; findings that overlap or lie outside change nothing else', () => {
  const text = 'to ada@example.org now';
  expect(
    splitAtFindings(text, [
      { type: 'Name', start: 5, end: 9 },
      { type: 'Email', start: 3, end: 18 },
      { type: 'Phone', start: 90, end: 95 },
    ]),
  ).toEqual([
    { text: 'to ', type: null },
    { text: 'ada@example.org', type: 'Email' },
    { text: ' now', type: null },
  ]);
});

test('a change of settings keeps what another person changed meanwhile, rule by rule', () => {
  const before = defaultDataProtection;
  const after: DataProtectionSettings = {
    ...before,
    redact_logs: true,
    rules: { ...before.rules, Email: { action: 'block', traffic: 'requests' } },
  };
  const now: DataProtectionSettings = {
    ...before,
    bodies: 'none',
    rules: { ...before.rules, Phone: { action: 'allow', traffic: 'none' } },
  };
  const result = merged({ before, after, now });
  expect(result).toMatchObject({ redact_logs: true, bodies: 'none' });
  expect(result.rules.Email).toEqual({ action: 'block', traffic: 'requests' });
  expect(result.rules.Phone).toEqual({ action: 'allow', traffic: 'none' });
  expect(sameSettings(before, after)).toBe(false);
  expect(sameSettings(after, structuredClone(after))).toBe(true);
});

test('each rule says what it comes to', () => {
  expect(consequence({ action: 'allow', traffic: 'both' })).toBe('Kept unchanged everywhere, including the audit trail.');
  expect(consequence({ action: 'mask', traffic: 'none' })).toContain('Agent and caller see the original value.');
  expect(consequence({ action: 'block', traffic: 'requests' })).toContain('is refused with 403; the agent never sees it');
  // A block without a place applies to requests.
  expect(consequence({ action: 'block', traffic: 'none' })).toBe(consequence({ action: 'block', traffic: 'requests' }));
});

test('a record names its deployment as its target or in its payload, and says why a body is missing', () => {
  const log = { targets: [], input_data: { deployment_id: 'dep_1' }, output_data: null } as unknown as Parameters<
    typeof findDeploymentId
  >[0];
  expect(findDeploymentId(log)).toBe('dep_1');
  expect(findDeploymentId({ ...log, targets: [{ type: 'deployment', id: 'dep_2', name: null }] })).toBe('dep_2');
  expect(findDeploymentId({ ...log, input_data: { deployment_id: '../x' } })).toBeUndefined();
  expect(bodyNotes({ left_out: 'binary', is_cut: false, was_changed: true })).toEqual([
    'The body was not recorded: it is not text.',
    'The receiver got the redacted version, too.',
  ]);
  expect(bodyNotes(null)).toEqual([]);
  expect(bodyNotes({ left_out: 'empty' })).toEqual([]);
});

test('the name of an export has its moment in it, as every file system takes it', () => {
  expect(fileTime(new Date('2026-11-23T10:04:15.120Z'))).toBe('2026-11-23T10-04-15-120Z');
});

test('evidence is read as rows, whatever it is', () => {
  expect(
    evidenceRows({ age_days: 1_212, is_used: true, expires_at: null, scopes: ['a', 'b'], rows: [{}, {}], by: { x: 1 }, none: [] }),
  ).toEqual([
    ['age days', '1,212'],
    ['is used', 'yes'],
    ['expires at', 'none'],
    ['scopes', 'a, b'],
    ['rows', '2 entries'],
    ['by', '1 field'],
    ['none', 'none'],
  ]);
  expect(evidenceRows('text')).toEqual([['value', 'text']]);
  expect(evidenceRows(Array.from({ length: 500 }, () => 1))).toHaveLength(12);
});

test('states, counts and intervals have words; an unknown state is a warning in its own word', () => {
  expect([violationsText(0), violationsText(1), violationsText(2)]).toEqual(['0 violations', '1 violation', '2 violations']);
  expect([everyText(86_400), everyText(300), everyText(604_800), everyText(3_600)]).toEqual([
    'every day',
    'every 5 minutes',
    'every 7 days',
    'every hour',
  ]);
  expect(frameworkLook('under_audit')).toMatchObject({ tone: 'warning', word: 'under audit' });
  expect(frameworkLook('constructor')).toMatchObject({ tone: 'warning' });
  expect(controlLook({ status: 'passed', is_stale: true }).word).toBe('Stale');
  expect(controlLook({ status: 'failed', is_stale: true }).word).toBe('Failed');
  expect(controlLook({ status: 'failed', is_waived: true }).word).toBe('Waived');
  // Rounded down: only 100 reads as 100%.
  expect(percentText(99.99)).toBe('99.9%');
});

test('rules are the lines that are not blank', () => {
  expect(parseRules('  one \r\n\n   \ntwo')).toEqual(['one', 'two']);
});

test('what is open names its tab', () => {
  expect(resolveTab({ framework: 'gdpr' })).toBe('compliance');
  expect(resolveTab({ tab: 'compliance', policy: 'pol_1' })).toBe('policies');
  expect(resolveTab({ open: 'new' })).toBe('policies');
  expect(resolveTab({ tab: 'data-governance', open: 'pii' })).toBe('data-governance');
  expect(resolveTab({ open: 'export' })).toBe('audit-trail');
});
