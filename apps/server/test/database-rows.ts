import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseType } from '@paddock/contract';
import { connect } from '../src/db/connect.ts';
import { alertStore } from '../src/features/alerts/bell/store.ts';
import type { SignedIn } from '../src/http/serve.ts';
import { type IdPrefix, newId, uuidv7 } from '../src/ids.ts';
import { mailQueue } from '../src/mail/queue.ts';
import { loadSeal } from '../src/secrets/seal.ts';
import { mailReader } from './mails.ts';
import { testDatabase } from './postgres.ts';

export const node = 'node-of-tests';
let numbers = 0;

/** The platform's own database with teams, projects and rows of databases, written without the API; nothing runs. */
export async function databaseRows(t: { after: (close: () => Promise<unknown>) => unknown }) {
  const database = await testDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), 'paddock-test-'));
  const sql = connect(database.url, { max: 5 });
  t.after(async () => {
    await sql.end();
    await database.drop();
    await rm(dataDir, { recursive: true, force: true });
  });
  const seal = loadSeal(dataDir, undefined);
  const team = async () => {
    const [team_id, user_id, project_id] = [newId('team'), newId('usr'), newId('prj')];
    const email = `ada${++numbers}@example.com`;
    await sql`insert into teams (id, name) values (${team_id}, 'Ada')`;
    await sql`insert into users (id, email, name) values (${user_id}, ${email}, 'Ada')`;
    await sql`insert into team_members (team_id, user_id) values (${team_id}, ${user_id})`;
    await sql`insert into projects (id, team_id, name, description, subdomain) values (${project_id}, ${team_id}, 'demo', '', ${`demo-${numbers}`})`;
    return { team_id, user_id, project_id, email };
  };
  return {
    sql,
    seal,
    dataDir,
    alerts: alertStore(sql, mailQueue(sql, seal)),
    mailsTo: mailReader(sql, seal, 'http://localhost:4000'),
    team,
    /** A managed database that is available on this node, unless overridden. */
    async row(of: { team_id: string; project_id: string }, more: Record<string, unknown> & { type?: DatabaseType } = {}): Promise<string> {
      const id = newId('db');
      const { sealed, key_id } = seal.seal('password', `database:${id}`);
      const row = {
        ...{ id, team_id: of.team_id, project_id: of.project_id, environment: 'production', type: 'postgresql', mode: 'managed' },
        ...{ status: 'available', node, machine: 'machine', host: '127.0.0.1', port: 1, secret_sealed: sealed, secret_key_id: key_id },
        ...more,
      };
      await sql`insert into databases ${sql(row)}`;
      return id;
    },
  };
}
export type Rows = Awaited<ReturnType<typeof databaseRows>>;

/** A handler's context for a caller of this team. Ids are derived from `seed`, like those of a repeated request. */
export function calledBy({ team_id, user_id, email }: { team_id: string; user_id: string; email: string }, seed = uuidv7()): SignedIn {
  let ids = 0;
  return {
    actor: { team_id, user_id, email, name: 'Ada', session_id: null, key_id: null, key_name: null },
    ip: '192.0.2.1',
    user_agent: 'test',
    devices: [],
    keepDevice: () => undefined,
    signal: AbortSignal.timeout(300_000),
    newId: (prefix: IdPrefix) => newId(prefix, ids++ === 0 ? seed : uuidv7()),
  };
}
