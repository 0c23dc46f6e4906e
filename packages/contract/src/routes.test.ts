import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import * as z from 'zod';
import { type AuditAction, auditActions } from './audit.ts';
import { type ErrorCode, errors } from './errors.ts';
import type { Contract, Route } from './route.ts';
import { contract } from './routes.ts';

/** Names of response fields that grant access. */
const SECRETS = /^(token|secret|ticket|api_key|recovery_codes|connection_string|authorization_url)$/;

/** Responses that are never stored although they grant no access: a text that a user tries may contain personal data. */
const PRIVATE = ['governance.scan'];

test('a call whose answer lets somebody in says so, and no other does', () => {
  const wrong = Object.entries(contract).flatMap(([group, calls]) =>
    Object.entries(calls as Record<string, Route>).flatMap(([name, route]) => {
      const fields = route.output instanceof z.ZodObject ? Object.keys(route.output.shape) : [];
      const gives = fields.filter((field) => SECRETS.test(field));
      if (gives.length > 0 && route.answer === undefined) return [`${group}.${name} gives ${gives.join()} and does not say so`];
      const isPrivate = PRIVATE.includes(`${group}.${name}`);
      return gives.length === 0 && route.answer !== undefined && !isPrivate
        ? [`${group}.${name} says that its answer is ${route.answer}`]
        : [];
    }),
  );
  assert.deepEqual(wrong, []);
});

const calls = Object.entries(contract as Contract).flatMap(([group, routes]) =>
  Object.entries(routes).map(([name, route]) => ({ call: `${group}.${name}`, route })),
);

test('each call that changes something says what the audit trail notes, and of those that read only secrets of people, exports and logs do', () => {
  const wrong = calls.filter(({ route }) => {
    const isNoted = route.audit !== undefined;
    if (route.method !== 'GET') return !isNoted;
    const givesAway =
      route.download !== undefined || route.audit === 'log.read' || (route.answer === 'secret' && route.access !== 'public');
    return isNoted !== givesAway || route.audit === false;
  });
  assert.deepEqual(
    wrong.map(({ call }) => call),
    [],
  );
});

test('each action of the audit trail is done by a call, and is named by a noun and a verb', () => {
  const done = calls.map(({ route }) => route.audit);
  for (const action of Object.keys(auditActions) as AuditAction[]) {
    assert.ok(done.includes(action), action);
    assert.match(action, /^[a-z]+(-[a-z]+)*\.[a-z]+(-[a-z]+)*$/);
  }
});

test('a call that the audit trail leaves out tells why', () => {
  const files = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'));
  const lines = files.flatMap((name) => readFileSync(join(import.meta.dirname, name), 'utf8').split('\n'));
  const leftOut = lines.flatMap((line, index) => (line.trim() === 'audit: false,' ? [lines[index - 1]?.trim() ?? ''] : []));
  assert.equal(leftOut.length, calls.filter(({ route }) => route.audit === false).length);
  for (const reason of leftOut) assert.match(reason, /^\/\/ [A-Z].{20,}\.$/);
});

test('errors that a call names are not those that all calls of its kind have, and each error of one call alone is named', () => {
  const ofAll = [
    'internal',
    'unavailable',
    'input_invalid',
    'request_invalid',
    'not_signed_in',
    'scope_missing',
    'policy_refused',
    'too_many_requests',
  ];
  const ofBodies = [
    'json_invalid',
    'body_too_large',
    'media_type_unsupported',
    'upload_invalid',
    'archive_invalid',
    'archive_too_large',
    'disk_full',
  ];
  const ofRepeats = ['idempotency_key_reused', 'request_in_progress', 'secret_shown_once'];
  const ofNoCall = ['route_not_found', 'method_not_allowed', 'origin_refused', 'webhook_refused'];
  const general = [...ofAll, ...ofBodies, ...ofRepeats, ...ofNoCall];
  const named = calls.flatMap(({ route }) => route.errors ?? []);
  assert.deepEqual(
    named.filter((code) => general.includes(code)),
    [],
  );
  assert.deepEqual(
    Object.keys(errors).filter((code) => !general.includes(code) && !named.includes(code as ErrorCode)),
    [],
  );
});

/** Addresses that end in a name and can only be read elsewhere. */
const READ_ELSEWHERE: Record<string, string> = {
  '/oauth/:provider': 'the providers of an installation: GET /oauth/providers has all',
  '/billing/notices/:id': 'a notice is a part of GET /billing/subscription',
};

test('each thing that calls name by its id or name is read by GET at that address, or a reason says where', () => {
  const things = calls.flatMap(({ route }) =>
    [...route.path.matchAll(/:\w+(?=\/|$)/g)].map(({ index, 0: name }) => route.path.slice(0, index + name.length)),
  );
  const shapeOf = (path: string) => path.replace(/:\w+/g, ':');
  const readable = new Set(calls.filter(({ route }) => route.method === 'GET').map(({ route }) => shapeOf(route.path)));
  const unread = [...new Set(things)].filter((path) => !readable.has(shapeOf(path)));
  assert.deepEqual(unread, Object.keys(READ_ELSEWHERE));
});

/** Fields that something keeps for its life. */
const FIXED: Readonly<Record<string, readonly string[]>> = {
  databases: ['project_id', 'environment', 'type'],
  channels: ['type'],
};

test('each field that a call creates something with can be updated, or is fixed', () => {
  const fieldsOf = (call: string) => {
    const input = calls.find((one) => one.call === call)?.route.input;
    return input instanceof z.ZodObject ? Object.keys(input.shape) : undefined;
  };
  const groups = Object.keys(contract).filter((group) => fieldsOf(`${group}.create`) && fieldsOf(`${group}.update`));
  assert.ok(groups.includes('projects'));
  for (const group of groups) {
    const updated = fieldsOf(`${group}.update`)!;
    const missing = fieldsOf(`${group}.create`)!.filter((field) => !updated.includes(field));
    assert.deepEqual(missing, FIXED[group] ?? [], group);
  }
});
