import type { AuditTarget } from '@paddock/contract';
import type { Tx } from '../db/connect.ts';

export interface Target {
  id: string;
  name: string | null;
}
/** The project that a thing belongs to, as records name it; nulls if it belongs to none. */
export interface Agent {
  agent_id: string | null;
  agent_name: string | null;
}
type Row = Target & Agent;
type Find = (tx: Tx, team_id: string, ids: string[]) => PromiseLike<readonly Row[]>;

/** Names and projects of things. Contains all SQL that reads them for a record. */
const finds: Partial<Record<AuditTarget, Find>> = {
  user: (tx, _team_id, ids) => tx<Row[]>`
    select id, name, null as agent_id, null as agent_name
    from users
    where id = any(${ids})`,
  api_key: (tx, team_id, ids) => tx<Row[]>`
    select id, name, null as agent_id, null as agent_name
    from api_keys
    where team_id = ${team_id}
      and id = any(${ids})`,
  channel: (tx, team_id, ids) => tx<Row[]>`
    select id, name, null as agent_id, null as agent_name
    from channels
    where team_id = ${team_id}
      and id = any(${ids})`,
  policy: (tx, team_id, ids) => tx<Row[]>`
    select id, name, null as agent_id, null as agent_name
    from policies
    where team_id = ${team_id}
      and id = any(${ids})`,
  project: (tx, team_id, ids) => tx<Row[]>`
    select id, name, id as agent_id, name as agent_name
    from projects
    where team_id = ${team_id}
      and id = any(${ids})`,
  deployment: (tx, team_id, ids) => tx<Row[]>`
    select d.id, d.source_name as name, d.project_id as agent_id, p.name as agent_name
    from deployments d
    join projects p on p.id = d.project_id
    where d.team_id = ${team_id}
      and d.id = any(${ids})`,
  database: (tx, team_id, ids) => tx<Row[]>`
    select b.id, b.type || ' ' || b.name as name, b.project_id as agent_id, p.name as agent_name
    from databases b
    join projects p on p.id = b.project_id
    where b.team_id = ${team_id}
      and b.id = any(${ids})`,
  backup: (tx, team_id, ids) => tx<Row[]>`
    select k.id, b.type || ' ' || b.name as name, b.project_id as agent_id, p.name as agent_name
    from database_backups k
    join databases b on b.id = k.database_id
    join projects p on p.id = b.project_id
    where k.team_id = ${team_id}
      and k.id = any(${ids})`,
  alert: (tx, team_id, ids) => tx<Row[]>`
    select a.id, a.title as name, a.project_id as agent_id, p.name as agent_name
    from alerts a
    left join projects p on p.id = a.project_id
    where a.team_id = ${team_id}
      and a.id = any(${ids})`,
};

interface Asked {
  type: AuditTarget;
  team_id: string;
  ids: string[];
  /** The project of things that do not store it. */
  project_id?: string | undefined;
}

/** Things in the order of their ids, with only the id if not found; and the project of the first. */
export async function findTargets(tx: Tx, { type, team_id, ids, project_id }: Asked): Promise<{ targets: Target[]; agent: Agent }> {
  const rows = (await finds[type]?.(tx, team_id, ids)) ?? [];
  const found = ids.map((id) => rows.find((row) => row.id === id) ?? { id, name: null, agent_id: null, agent_name: null });
  const [{ agent_id, agent_name } = noAgent] = project_id === undefined ? found : await agentRows(tx, team_id, [project_id]);
  return { targets: found.map(({ id, name }) => ({ id, name })), agent: { agent_id, agent_name } };
}

const agentRows: Find = (tx, team_id, ids) => finds.project!(tx, team_id, ids);
const noAgent: Agent = { agent_id: null, agent_name: null };

export interface Known {
  type: 'person' | 'key';
  id: string;
  name: string | null;
  user_id: string | null;
  team_id: string;
}

/** A person and the team whose trail records it. The same statement runs for a person who does not exist. */
export async function findPerson(tx: Tx, user_id: string | null): Promise<Known | undefined> {
  const [row] = await tx<Known[]>`
    select 'person' as type, u.id, u.name, u.id as user_id, m.team_id
    from users u
    join team_members m on m.user_id = u.id
    where u.id = ${user_id}
    order by m.team_id
    limit 1`;
  return row;
}

/** A key that is no longer valid. */
export async function findEndedKey(tx: Tx, key_hash: Buffer): Promise<Known | undefined> {
  const [row] = await tx<Known[]>`
    select 'key' as type, id, name, user_id, team_id
    from api_keys
    where token_hash = ${key_hash}`;
  return row;
}
