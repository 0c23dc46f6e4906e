import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { startApi } from '../../test/server.ts';
import { teamOf } from '../../test/team-of.ts';
import { fileBlobs } from '../blobs/blobs.ts';
import { projectDeletion } from '../delete-projects.ts';
import { noReserve } from '../disk/reserve.ts';
import { removeAddresses } from '../features/deployments/addresses.ts';
import { noAlerts } from '../features/deployments/agent-alerts.ts';
import { transitions } from '../features/deployments/transitions.ts';
import { logStore } from '../features/logs/store.ts';
import { projectStore } from '../features/projects/store.ts';
import { createLog } from '../log.ts';

/** An installation without agents, in which the test runs each deletion turn; a turn removes at most one batch of log lines. */
async function scene(t: TestContext) {
  const { sql, dataDir, person } = await startApi(t);
  const logs = logStore(sql);
  const { job } = projectDeletion({
    projects: projectStore(sql, { removeAddresses, assertProjectLimit: async () => undefined }),
    transitions: transitions(sql, { owner: 'owner', node: 'node', machine: 'machine', alerts: noAlerts }),
    databases: { endDeleted: async () => [], remaining: async () => 0 },
    logs: { removeAll: (ids) => logs.removeAll(ids, 0) },
    traces: { removeOf: async () => true },
    blobs: fileBlobs(join(dataDir, 'blobs')),
    reserve: noReserve,
    log: createLog('silent'),
  });
  const count = async (table: string, of: string) =>
    (
      await sql<
        [{ n: number }]
      >`select count(*)::int as n from ${sql(table)} where ${sql(table === 'projects' ? 'id' : 'deployment_id')} = ${of}`
    )[0].n;
  /** A person's deleted project with `lines` log lines. */
  const ended = async (api: Awaited<ReturnType<typeof person>>['api'], name: string, lines = 1) => {
    const { id } = await api.projects.create({ name });
    const team_id = await teamOf(sql, { project_id: id });
    const deployment = `dep_${name}`;
    await sql`
      insert into deployments (id, team_id, project_id, environment, status, source_blob, source_name, source_bytes, created_by)
      values (${deployment}, ${team_id}, ${id}, 'production', 'failed', 'blb_none', 'n', 1, 'u')`;
    await sql`
      insert into log_heads (deployment_id, team_id, last_number)
      values (${deployment}, ${team_id}, ${lines})`;
    await sql`
      insert into log_lines (deployment_id, team_id, number, level, source, message, created_at)
      select ${deployment}, ${team_id}, n, 'info', 'agent', 'tick', now() - n * interval '20 seconds'
      from generate_series(1, ${lines}::int) n`;
    await api.projects.delete({ id });
    return { id, deployment };
  };
  return { sql, person, turn: job.run, count, ended };
}

test("a project with a long log is deleted over several turns, and another team's that was deleted later goes in the first", async (t) => {
  const { person, turn, count, ended } = await scene(t);
  const flood = await ended((await person()).api, 'flood', 8_000);
  const small = await ended((await person()).api, 'small');
  await turn();
  assert.deepEqual([await count('projects', small.id), await count('log_lines', small.deployment)], [0, 0]);
  const left = [await count('log_lines', flood.deployment)];
  for (let turns = 0; turns < 20 && (await count('projects', flood.id)) > 0; turns++) {
    await turn();
    left.push(await count('log_lines', flood.deployment));
  }
  assert.ok(left.length > 2 && left[0]! > 0 && left[0]! < 8_000, String(left));
  assert.equal(left.at(-1), 0);
  assert.equal(await count('projects', flood.id), 0);
});

test('projects that cannot be deleted keep no other from its turn, however many they are', async (t) => {
  const { sql, person, turn, count, ended } = await scene(t);
  const [many, other] = [(await person()).api, (await person()).api];
  for (let n = 0; n < 20; n++) await ended(many, `stuck-${n}`);
  await sql`create function stay() returns trigger language plpgsql as 'begin raise exception ''stuck''; end'`;
  await sql`create trigger stay before delete on projects for each row when (old.name like 'stuck%') execute function stay()`;
  await turn();
  const own = await ended(many, 'own');
  const theirs = await ended(other, 'theirs');
  await turn();
  assert.equal(await count('projects', theirs.id), 0);
  assert.equal(await count('projects', own.id), 0);
  await sql`drop trigger stay on projects`;
  await turn();
  assert.equal((await sql`select 1 from projects`).length, 0, 'what was stuck is tried again');
});
