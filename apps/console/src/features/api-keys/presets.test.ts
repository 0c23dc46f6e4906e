import { scopes } from '@paddock/contract';
import { expect, test } from 'vitest';
import { everyScope, presets, scopesSummary, scopeWords, whatItMay } from './presets.ts';

test('the form offers every scope of the contract under its label', () => {
  expect(Object.fromEntries(everyScope.map((scope) => [scope, scopeWords[scope].label]))).toEqual(scopes);
});

test('the sentence names what a key can do and what it cannot, and neither twice', () => {
  expect(whatItMay(['agents:read', 'logs:read'])).toBe(
    'The key can see agents and read logs. It cannot stop agents, deploy agents, delete agents with their projects, see projects, ' +
      'change projects and variables, see databases, read the audit trail, manage governance, ' +
      'see channels, manage channels, list API keys or create API keys with no more access than its own. It can never change your account.',
  );
  expect(whatItMay(everyScope)).toMatch(/and create API keys with no more access than its own\. It can never change your account\.$/);
  expect(whatItMay([])).toMatch(/^Choose at least one scope/);
});

test('a summary lists labels, and says all for all', () => {
  expect(scopesSummary(['agents:read', 'logs:read'])).toBe('Read Agents, Read Logs');
  expect(scopesSummary(presets.find(({ label }) => label === 'Full')!.scopes)).toBe('All scopes');
});
