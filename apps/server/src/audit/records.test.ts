// No change without its record, for calls about a team: its bill, its channels and its rules.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { auditedCalls } from '../../test/audit/calls.ts';
import { AGENTS, audited, PEOPLE, testRecords } from '../../test/audit/record-tests.ts';

test('each call that is recorded is tried here, in records-of-agents or in records-of-people', () => {
  assert.deepEqual(Object.keys(auditedCalls).sort(), audited.map(({ name }) => name).sort());
});

testRecords((group) => !AGENTS.includes(group) && !PEOPLE.includes(group));
