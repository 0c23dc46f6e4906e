// Every change has its record, and no record contains a secret: for each recorded call of the contract.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { after, before, test } from 'node:test';
import type { AuditEvent } from '@paddock/audit';
import { auditActions, type Contract, contract, resolveAuditType, type Scope, scopes } from '@paddock/contract';
import { apiOf } from '../server.ts';
import { auditedCalls, refusalOf } from './calls.ts';
import { breakCommits, dumpOf } from './dump.ts';
import { type AuditWorld, auditWorld } from './world.ts';

const routes = Object.entries(contract as Contract).flatMap(([group, calls]) =>
  Object.entries(calls).map(([name, route]) => ({ name: `${group}.${name}`, route })),
);
export const audited = routes.flatMap(({ name, route }) => (route.audit ? [{ name, route, action: route.audit }] : []));

/** Groups of the contract's calls by subject; calls of other groups are about the team. */
export const AGENTS = ['projects', 'variables', 'deployments', 'logs', 'databases', 'alerts', 'alertRules', 'traces'];
export const PEOPLE = ['accounts', 'profile', 'twoFactor', 'oauth', 'apiKeys', 'accessReviews'];

const plainFetch = globalThis.fetch;
/** Request id of the last response. */
let requestId: string | null = null;
let folder = '';
const path = process.env.PATH;
before(async () => {
  globalThis.fetch = async (...of) => {
    const answer = await plainFetch(...of);
    requestId = answer.headers.get('x-request-id');
    return answer;
  };
  folder = await mkdtemp(join(tmpdir(), 'paddock-test-'));
  process.env.PATH = `${folder}${delimiter}${path}`;
});
after(async () => {
  globalThis.fetch = plainFetch;
  process.env.PATH = path;
  await rm(folder, { recursive: true, force: true });
});

/** Actions with external effects, which are recorded before they are executed. */
const recordedBefore = ['channels.test', 'deployments.try', 'billing.confirmPayment'];

const eventsOf = async ({ sql }: AuditWorld) =>
  (await sql<{ event: AuditEvent }[]>`select event from audit_intake where event is not null order by number`).map(({ event }) => event);

/** Makes recording of this action fail from now on. */
async function breakRecords({ sql }: AuditWorld, action: string) {
  await sql.unsafe(`
    create function no_record() returns trigger language plpgsql as $$
    begin
      if new.event->>'action' = '${action}' then raise exception 'no record'; end if;
      return new;
    end $$;
    create trigger no_record before insert on audit_intake for each row execute function no_record()`);
}
const mendRecords = ({ sql }: AuditWorld) => sql.unsafe('drop trigger no_record on audit_intake; drop function no_record');

/** A test for each call of these groups of the contract, e.g. `projects`. */
export function testRecords(isWanted: (group: string) => boolean): void {
  for (const { name, route, action } of audited.filter(({ name }) => isWanted(name.split('.')[0] ?? '')))
    test(`${name} happens together with its record or not at all, and the record says who did what to which thing, without a secret`, async (t) => {
      const w = await auditWorld(t);
      await w.fakeDump(folder);
      const isForKeys = !['public', 'session', 'any'].includes(route.access);
      const { api_key, key_info } = await w.api.apiKeys.create({ name: 'tool', scopes: Object.keys(scopes) as Scope[] });
      const { press, target } = await auditedCalls[name]!(w);

      await breakRecords(w, action);
      const [before, sent, noted] = [await dumpOf(w.sql), w.outside.received.length, (await eventsOf(w)).length];
      assert.match((await refusalOf(press(w.api))) ?? 'went well', /^(internal|unavailable)$/);
      assert.deepEqual(await dumpOf(w.sql), before, 'nothing is changed');
      assert.equal(w.outside.received.length, sent, 'nothing was sent');
      assert.equal((await eventsOf(w)).length, noted);
      await mendRecords(w);

      const mendCommits = await breakCommits(w.sql);
      if ((await refusalOf(press(w.api))) !== undefined && !recordedBefore.includes(name)) {
        const done = (await eventsOf(w)).slice(noted).filter((event) => event.action === action && event.status === 'success');
        assert.deepEqual(done, [], 'what did not come to be is not recorded');
      }
      await mendCommits();

      const answer = await press(isForKeys ? apiOf(w.origin, api_key) : w.api);
      const events = await eventsOf(w);
      const own = events.filter(({ metadata }) => metadata.request_id === requestId);
      assert.equal(own.length, 1, JSON.stringify(own));
      const [event] = own as [AuditEvent];
      const id = typeof target === 'function' ? target(answer as never) : target;
      if (typeof id === 'string') assert.equal(event.targets[0]?.id, id);
      else assert.match(event.targets[0]?.id ?? '', id);
      assert.equal(event.targets[0]?.type, auditActions[action]);
      const isNew = name === 'accounts.signup';
      const person = { type: 'person', id: isNew ? id : w.user_id, name: isNew ? 'Eve' : event.actor.name };
      assert.deepEqual(event.actor, isForKeys ? { type: 'key', id: key_info.id, name: 'tool' } : person);
      assert.equal(event.user_id, isNew ? id : w.user_id);
      assert.deepEqual(
        [event.action, event.action_type, event.status, event.metadata.ip_address],
        [action, resolveAuditType(action), 'success', '127.0.0.1'],
      );
      if (!isNew) assert.equal(event.team_id, w.team_id);
      if (['project', 'variable', 'deployment', 'database', 'backup'].includes(auditActions[action]) && name !== 'projects.create') {
        assert.equal(event.agent_id, w.project_id);
        assert.equal(event.agent_name, name === 'projects.update' ? 'renamed' : 'watched');
      }
      assert.ok((event.duration_ms ?? 0) > 0);
      assert.match(event.id, /^aud_[0-9a-f-]{36}$/);

      const stored = JSON.stringify(events);
      for (const secret of ['CANARY', 'horse battery', '@example.com', w.token, api_key, ...secretsIn(answer)])
        assert.ok(!stored.includes(secret), `${secret} is in a record: ${JSON.stringify(event)}`);
    });
}

/** The credentials in a response. */
function secretsIn(answer: unknown): string[] {
  const secret = /^(token|secret|ticket|api_key|recovery_codes|connection_string)$/;
  return Object.entries(Object(answer) as object).flatMap(([name, value]) => (secret.test(name) ? [value].flat().map(String) : []));
}
