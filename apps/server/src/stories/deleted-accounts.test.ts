import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApi } from '../../test/server.ts';
import { isOver, password, signInAt } from '../../test/sign-in.ts';
import { deletionStore } from '../features/accounts/profile/deletion-store.ts';
import { removeDeletedTeams } from '../features/accounts/profile/teams.ts';
import { removeAddresses } from '../features/deployments/addresses.ts';
import { projectStore } from '../features/projects/store.ts';
import { createIsolatedLoop } from '../jobs/isolated-loop.ts';
import { createLog } from '../log.ts';

test('a deleted account is gone at once with its sessions, and its team once the projects are', async (t) => {
  const place = await startApi(t);
  const signIn = signInAt(() => place.origin);
  const { api, email } = await place.person();
  const other = await signIn(email);
  const { id } = await api.projects.create({ name: 'mine' });
  await assert.rejects(api.profile.deleteAccount({ password: 'wrong', confirmation: email }), { code: 'password_wrong' });
  await assert.rejects(api.profile.deleteAccount({ password, confirmation: 'ada' }), { code: 'input_invalid' });
  await api.accounts.me();
  await api.profile.deleteAccount({ password, confirmation: ` ${email.toUpperCase()} ` });
  await isOver(api);
  await isOver(other.api);
  assert.equal((await signIn(email)).code, 'credentials_wrong');

  const { sql } = place;
  const store = deletionStore(sql);
  const projects = projectStore(sql, { removeAddresses, assertProjectLimit: async () => undefined });
  const each = createIsolatedLoop(createLog('silent'), 'removing a team');
  const [project] = await sql<
    { team_id: string; deleting_at: string | null }[]
  >`select team_id, deleting_at from projects where id = ${id}`;
  const { team_id = '', deleting_at } = project ?? {};
  assert.ok(deleting_at, 'the project is marked');
  // Simulates a crash between two of the steps: each turn continues the removal.
  const remains = async () => (await sql`select 1 from teams where id = ${team_id}`).length;
  await removeDeletedTeams({ sql, store, projects, each });
  assert.equal(await remains(), 1);
  const [late] = await sql<
    { id: string }[]
  >`insert into projects (id, team_id, name, subdomain) values ('prj_late', ${team_id}, 'late', 'late-one') returning id`;
  await removeDeletedTeams({ sql, store, projects, each });
  for (const one of [id, late?.id ?? '']) await projects.removeForGood(team_id, one);
  await removeDeletedTeams({ sql, store, projects, each });
  assert.equal(await remains(), 0);
  // The mail address can be used again.
  await place.anonymous.accounts.signup({ email, password, name: 'Ada' });
  assert.equal((await signIn(email)).code, undefined);
});
