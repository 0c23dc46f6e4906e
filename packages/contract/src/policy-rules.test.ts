import assert from 'node:assert/strict';
import { test } from 'node:test';
import { advisoryEffect, maxRuleLetters, type PolicyRule, policyTypes, ruleTemplates, understandRule } from './policy-rules.ts';

const all = ['Email', 'Phone', 'SSN', 'Credit Card', 'Address', 'Name', 'IP Address', 'Date of Birth'] as const;
const retained = ['logs', 'traces', 'audit payloads'] as const;

const understood: [string, PolicyRule][] = [
  ['Delete logs after 30 days', { kind: 'retention', data: ['logs'], days: 30 }],
  ['  delete   LOGS after 1 day. ', { kind: 'retention', data: ['logs'], days: 1 }],
  ['Delete traces after 7 days', { kind: 'retention', data: ['traces'], days: 7 }],
  ['Remove audit payloads after 90 days', { kind: 'retention', data: ['audit payloads'], days: 90 }],
  ['Retain logs and traces for 14 days', { kind: 'retention', data: ['logs', 'traces'], days: 14 }],
  ['Keep logs, traces and audit payloads for 14 days', { kind: 'retention', data: [...retained], days: 14 }],
  ['Retention 90 days', { kind: 'retention', data: [...retained], days: 90 }],
  ['Retention: 90 days', { kind: 'retention', data: [...retained], days: 90 }],
  ['Retention period 90 days', { kind: 'retention', data: [...retained], days: 90 }],
  ['API keys expire within 90 days', { kind: 'key_age', days: 90 }],
  ['API keys must expire after 90 days', { kind: 'key_age', days: 90 }],
  ['90-day API key validity', { kind: 'key_age', days: 90 }],
  ['90 days API key validity', { kind: 'key_age', days: 90 }],
  ['Rotate API keys every 30 days', { kind: 'key_age', days: 30 }],
  ['Alert after 3 failed logins', { kind: 'failed_logins', count: 3 }],
  ['Alert on 1 failed login', { kind: 'failed_logins', count: 1 }],
  ['Alert after 3 failed login attempts within an hour', { kind: 'failed_logins', count: 3 }],
  ['Redact Email, SSN', { kind: 'redact', types: ['Email', 'SSN'] }],
  ['Redact: emails and credit card numbers', { kind: 'redact', types: ['Email', 'Credit Card'] }],
  ['Redact addresses, IP addresses and dates of birth', { kind: 'redact', types: ['Address', 'IP Address', 'Date of Birth'] }],
  ['Redact all personal data', { kind: 'redact', types: [...all] }],
  ['Redact all PII', { kind: 'redact', types: [...all] }],
  ['Allowed environments: production', { kind: 'environments', environments: ['production'] }],
  ['allowed environment : Production, preview', { kind: 'environments', environments: ['production', 'preview'] }],
  ['Allowed database modes: managed, none', { kind: 'database_modes', modes: ['managed', 'none'] }],
  ['Allowed database mode: external', { kind: 'database_modes', modes: ['byo'] }],
  ['Require two-factor authentication', { kind: 'two_factor' }],
  ['Require 2FA', { kind: 'two_factor' }],
  ['Require MFA.', { kind: 'two_factor' }],
  ['End idle sessions after 15 minutes', { kind: 'idle_sessions', minutes: 15 }],
  ['Idle timeout: 60 minutes', { kind: 'idle_sessions', minutes: 60 }],
  ['Session timeout 5 minutes.', { kind: 'idle_sessions', minutes: 5 }],
  ['Deployments only by: Ada@example.com, key CI', { kind: 'deployers', people: ['ada@example.com'], keys: ['ci'] }],
  ['Deployments only by: key Build and Ship', { kind: 'deployers', people: [], keys: ['build and ship'] }],
  ['Require health path', { kind: 'health_path' }],
  ['Require a health check', { kind: 'health_path' }],
  ['Allowed hosts: api.openai.com', { kind: 'hosts', which: 'only', hosts: ['api.openai.com'] }],
  [
    'Allowed host: API.example.com, *.b.org and 192.0.2.7.',
    { kind: 'hosts', which: 'only', hosts: ['api.example.com', '*.b.org', '192.0.2.7'] },
  ],
  ['Allowed hosts: none', { kind: 'hosts', which: 'only', hosts: [] }],
  ['Blocked hosts: a.com, *.b.org', { kind: 'hosts', which: 'never', hosts: ['a.com', '*.b.org'] }],
  ['Budget $5 per day', { kind: 'budget', usd: 5 }],
  ['Budget: $ 0.50 a day', { kind: 'budget', usd: 0.5 }],
];

for (const [text, rule] of understood)
  test(`'${text}' is understood`, () => {
    const { effect, ...found } = understandRule(text) ?? assert.fail('advisory');
    assert.deepEqual(found, rule);
    assert.match(effect, /^[A-Z].+\.$/);
  });

const advisory = [
  '',
  '   ',
  'Be kind',
  'Delete logs',
  'Delete logs after 0 days',
  'Delete logs after -3 days',
  'Delete logs after 3.5 days',
  'Delete logs after 4000 days',
  'Delete logs after 30 weeks',
  'Delete everything after 30 days',
  'Delete logs and backups after 30 days',
  'Do not delete logs after 30 days',
  'Delete logs after 30 days, unless somebody asks',
  'API keys expire',
  'API keys never expire within 90 days',
  'Alert after 0 failed logins',
  'Alert after 3 failed logins within a day',
  'Redact',
  'Redact nothing',
  'Redact Email, Shoe Size',
  'Allowed environments:',
  'Allowed environments: production, staging',
  'Allowed environments',
  'Allowed database modes: sqlite',
  'Require two-factor authentication for owners',
  'End idle sessions after 4 minutes',
  'End idle sessions after 99999 minutes',
  'Deployments only by:',
  'Deployments only by: Ada',
  'Deployments only by: key',
  'Require a healthy path',
  'Budget $0 per day',
  'Budget 5 per day',
  'Budget $5 per month',
  'Blocked hosts:',
  'Blocked hosts: none',
  'Blocked hosts: localhost',
  'Blocked hosts: https://a.com',
  'Blocked hosts: a.com/path',
  'Blocked hosts: a.com:443',
  'Blocked hosts: *',
  'Blocked hosts: a.*.com',
  'Blocked hosts: *.*.com',
  'Blocked hosts: 10.1.2.300',
  'Blocked hosts: 10.0.0.0/8',
  'Allowed hosts: a..com',
  'Allowed hosts: -a.com',
  'Allowed hosts: ::1',
  'constructor: production',
  '__proto__: production',
  'toStrings: production',
];
for (const text of advisory) test(`'${text}' is advisory`, () => assert.equal(understandRule(text), undefined));

test('a text that is longer than a rule may be is not looked at, and hostile text takes no time', () => {
  assert.equal(understandRule(`Redact ${'Email, '.repeat(50)}Email`), undefined);
  const hostile = [
    'delete '.repeat(40),
    `${' '.repeat(298)}x`,
    ','.repeat(300),
    `redact ${',and '.repeat(58)}`,
    `Delete ${'a, '.repeat(97)}`,
  ];
  const begun = process.cpuUsage();
  for (let round = 0; round < 500; round++)
    for (const text of hostile) assert.equal(understandRule(text.slice(0, maxRuleLetters)), undefined);
  assert.ok(process.cpuUsage(begun).user < 5_000_000, 'microseconds');
});

test('each template is understood, and every type of policy has some', () => {
  for (const type of policyTypes) {
    assert.ok(ruleTemplates[type].length > 0, type);
    for (const text of ruleTemplates[type]) assert.ok(understandRule(text), text);
  }
});

test('rules about hosts say what they promise, and one that is not understood how to write it', () => {
  const effect = (text: string) => understandRule(text)?.effect ?? '';
  assert.match(effect('Allowed hosts: a.com, b.com'), /^Lets agents call a\.com and b\.com, and no other host:/);
  assert.match(effect('Allowed hosts: none'), /^Lets agents call no host at all:/);
  assert.match(
    effect('Blocked hosts: a.com, b.com'),
    /^Does not resolve a\.com or b\.com for agents.+knows the address.+only 'Allowed hosts'/,
  );
  assert.match(advisoryEffect('Blocked hosts: https://a.com'), /write names such as/);
  assert.equal(advisoryEffect('Be kind'), 'Nothing enforces this: it tells people what to do.');
});
