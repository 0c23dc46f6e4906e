import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { machineIdentity } from '@paddock/network';
import { newId } from '../../src/ids.ts';
import { alertsOf } from '../alerts.ts';
import { zip } from '../archives.ts';
import { startOAuthWorld } from '../oauth-world.ts';
import { receiver } from '../receiver.ts';
import { password } from '../sign-in.ts';

export type AuditWorld = Awaited<ReturnType<typeof auditWorld>>;

/** A person with a project, on a server where every call can be made: agents, targets of channels and the databases' node are simulated. */
export async function auditWorld(t: { after: (end: () => Promise<unknown>) => unknown }) {
  // Simulates the gateway, and the targets of channels.
  const outside = await receiver(t);
  const server = await startOAuthWorld(t, { gatewayPort: outside.port, egressAllow: ['127.0.0.0/8'] });
  const { sql, seal } = server;
  const { api, token, email } = await server.person();
  const [{ user_id, team_id }] = await sql<[{ user_id: string; team_id: string }]>`
    select user_id, team_id
    from team_members`;
  const { id: project_id } = await api.projects.create({ name: 'watched' });
  const { url } = outside;

  const deploy = () => api.deployments.create({ project_id, file: zip({ 'server.js': '1' }), file_name: 'agent.zip' });
  return {
    ...server,
    api,
    token,
    email,
    password,
    user_id,
    team_id,
    project_id,
    outside,
    deploy,
    async active() {
      const { id } = await deploy();
      await sql`update deployments set status = 'active', is_current = true, agent_type = 'web', deployed_at = now() where id = ${id}`;
      return id;
    },
    async database(more: Record<string, unknown> = {}) {
      const id = newId('db');
      const { sealed, key_id } = seal.seal('CANARY_of_the_database', `database:${id}`);
      const where = { node: 'here', machine: machineIdentity(), host: '127.0.0.1', port: 1, version: '18.4' };
      const of = { id, team_id, project_id, environment: 'production', type: 'postgresql', mode: 'managed', status: 'available', ...where };
      await sql`insert into databases ${sql({ ...of, secret_sealed: sealed, secret_key_id: key_id, ...more })}`;
      return id;
    },
    async backup(database_id: string) {
      const { id } = await api.databases.createBackup({ id: database_id });
      await sql`update database_backups set status = 'available', finished_at = now(), size_bytes = 1`;
      await sql`update database_tasks set status = 'done'`;
      return id;
    },
    async alert() {
      await alertsOf(server).raise(team_id, { rule: 'rule_of_a_test', severity: 'critical', title: 'Alert', message: 'The disk is full.' });
      const { alerts } = await api.alerts.list();
      return alerts[0]!.id;
    },
    async channel() {
      const { channel } = await api.channels.create({ name: 'CI', type: 'webhook', url });
      return channel.id;
    },
    /** A pg_dump that writes a line; the server uses it from its next start on. */
    async fakeDump(folder: string) {
      await mkdir(folder, { recursive: true });
      const path = join(folder, 'pg_dump');
      await writeFile(
        path,
        `#!/bin/sh\n[ "$1" = --version ] && { echo "pg_dump (PostgreSQL) 18.1"; exit; }\necho "-- CANARY_of_the_export"\n`,
      );
      await chmod(path, 0o755);
    },
  };
}
