import { minuteMs } from '@paddock/contract/time';
import type { DatabaseDriver } from '@paddock/database-driver';
import { noReserve } from '../src/disk/reserve.ts';
import { nodeDatabases } from '../src/features/databases/node/node-store.ts';
import { createStepRunner } from '../src/features/databases/node/run-step.ts';
import { storageLimits } from '../src/features/databases/usage/limits.ts';
import { storageStore } from '../src/features/databases/usage/limits-store.ts';
import { resolveAgentAlerts } from '../src/features/deployments/agent-alerts.ts';
import { transitions } from '../src/features/deployments/transitions.ts';
import { newId } from '../src/ids.ts';
import { createLog } from '../src/log.ts';
import { zip } from './archives.ts';
import type { channelWorld } from './channels.ts';
import { metricsRows } from './metrics-rows.ts';

type World = Awaited<ReturnType<typeof channelWorld>>;
type Team = Awaited<ReturnType<World['team']>>;
type Deps = Pick<World, 'sql' | 'alerts'> & { team: Team };

/** A failure, and its repair. */
export interface Incident {
  /** The message of its alert. */
  message: RegExp;
  begin: () => Promise<unknown>;
  end: () => Promise<unknown>;
}

const ago = (minutes: number) => new Date(Date.now() - minutes * minuteMs);
const answers = (count: number, status: number, ms = 20) => Array.from({ length: count }, () => ({ status, us: ms * 1000 }));
const node = 'node-of-incidents';

/** An incident for each rule about a production agent, each in its own project. Measurements are written in the form of gateways and workers. */
export async function agentIncidents({ sql, team }: Deps): Promise<Incident[]> {
  const made = metricsRows({ sql });
  const { user_id, team_id, email, api } = team;
  const serving = async (name: string) => {
    const { id: project_id } = await api.projects.create({ name });
    const owner = { team_id, project_id, user_id, email };
    const id = await made.deployment(owner, { at: ago(100) });
    const visits = (minutes: number, all: ReturnType<typeof answers>) => made.visits(id, { at: ago(minutes), visits: all });
    const forget = () => sql`delete from traffic_minutes where deployment_id = ${id}`;
    const move = (minutes: number, why: string) => made.move(owner, id, { at: ago(minutes), from: 'active', to: 'active', why });
    return { id, project_id, visits, forget, move };
  };
  const fails = await serving('fails');
  const slow = await serving('slow');
  const unwell = await serving('unwell');
  const down = await serving('down');
  const starved = await serving('starved');
  const silent = await serving('silent');
  return [
    {
      message: /^40 % of 100 requests failed/,
      begin: () => fails.visits(2, [...answers(60, 200), ...answers(40, 500)]),
      end: () => fails.forget().then(() => fails.visits(1, answers(100, 200))),
    },
    {
      message: /^One of twenty requests took longer than 8\.\d\d s/,
      begin: () => slow.visits(2, answers(40, 200, 8_000)),
      end: () => slow.forget().then(() => slow.visits(1, answers(40, 200))),
    },
    {
      // Too few requests within five minutes for the other rules.
      message: /^Its health score was 33 of 100 .* lowered most by errors/,
      begin: () => unwell.visits(9, answers(10, 502, 2_000)),
      end: () => unwell.forget().then(() => unwell.visits(1, answers(10, 200))),
    },
    { message: /^It has not been able to answer for 5 minutes/, begin: () => down.move(5, 'crashed'), end: () => down.move(0, 'ready') },
    {
      message: /^It needed more memory than it may have and was restarted, once/,
      begin: () => starved.move(3, 'out_of_memory').then(() => starved.move(2.9, 'ready')),
      end: () => sql`update moves set at = at - interval '15 minutes' where deployment_id = ${starved.id} and why = 'out_of_memory'`,
    },
    {
      message: /^It was reachable for \d+ minutes but received no requests/,
      begin: () => api.alertRules.update({ id: silent.project_id, rule: 'no_requests', is_on: true }),
      end: () => silent.visits(1, answers(1, 200)),
    },
  ];
}

/** A project whose model calls cost more than its budget of $10, until the budget is raised. */
export async function modelBudget({ sql, team }: Deps): Promise<Incident> {
  const { user_id, team_id, email, api } = team;
  const { id: project_id } = await api.projects.create({ name: 'spends' });
  const deployment_id = await metricsRows({ sql }).deployment({ team_id, project_id, user_id, email }, { at: ago(100) });
  const price = { cached_input_usd: null, cache_write_usd: null, output_usd: 2 };
  await api.traces.setPrices({ model_prices: [{ model: 'budget-model', input_usd: 1, ...price }] });
  const set = (change: object) => api.alertRules.update({ id: project_id, rule: 'model_cost', ...change });
  return {
    message: /^They cost \$12\.00 today \(UTC\); the rule allows \$10\.00 a day/,
    async begin() {
      await set({ is_on: true });
      await sql`
        insert into model_usage_hours (
          deployment_id, hour, model, calls, input_tokens, cached_tokens, cache_write_tokens, output_tokens, reasoning_tokens
        )
        values (${deployment_id}, date_trunc('hour', now()), 'budget-model', 5, 10000000, 0, 0, 1000000, 0)`;
    },
    end: () => set({ threshold: 20 }),
  };
}

/** A production agent that crashes three times and then stays up. */
export async function crashLoop({ sql, alerts, team: { api } }: Deps): Promise<Incident> {
  const { id: project_id } = await api.projects.create({ name: 'loops' });
  const worker = transitions(sql, {
    owner: 'one',
    node,
    machine: 'machine',
    alerts: { raise: alerts.raiseWithin, clearOlder: alerts.clearOlder },
  });
  const plan = { language: 'node', type: 'web', root: '', install: null, build: null, start: ['node'], reasons: [], warnings: [] };
  const target = { host: '127.0.0.1', port: 9, instance_port: 8080 };
  await api.deployments.create({ project_id, file: zip({ 'server.js': '1' }), file_name: 'a.zip' });
  const d = (await worker.claim('all'))!;
  await worker.building(d);
  await worker.deploying(d, { key: 'k', plan, layer_keys: [] } as never);
  await worker.starting(d, { instance_id: 'ins-1' });
  await worker.active(d, { agent_type: 'web', target, drainSeconds: 30 });
  return {
    message: /^The agent in production exited with code 7: crash 3 within 10 minutes/,
    async begin() {
      for (let crashes = 0; crashes < 3; crashes++) {
        await worker.crashed(d.id, { instance_id: 'ins-1', delaySeconds: 1, how: 'exited with code 7' });
        await sql`update deployments set restart_at = null, instance_id = 'ins-1' where id = ${d.id}`; // simulates its restart
      }
    },
    async end() {
      await sql`update deployments set restart_times = array[now() - interval '11 minutes'] where id = ${d.id}`;
      await resolveAgentAlerts(sql, alerts)();
    },
  };
}

/** A database that fills up and is emptied, and one whose start fails three times in a row and then succeeds. */
export async function databaseIncidents({ sql, alerts, team }: Deps): Promise<Incident[]> {
  const { id: project_id } = await team.api.projects.create({ name: 'stores' });
  const database = async (environment: string) => {
    const row = { id: newId('db'), team_id: team.team_id, project_id, environment, type: 'postgresql', mode: 'managed' };
    const placed = { status: 'available', node, machine: 'machine', host: '127.0.0.1', port: 5001 };
    await sql`insert into databases ${sql({ ...row, ...placed, secret_sealed: Buffer.from('-'), secret_key_id: '-', storage_limit_bytes: 1000 })}`;
    return row.id;
  };
  const [fills, dies] = [await database('production'), await database('preview')];
  const limits = storageLimits({
    driver: { setWriting: async () => undefined },
    store: storageStore(sql, node),
    alerts,
    settings: { postgresql: 1000, isByPlan: false, redis: 1000 },
  });
  const holds = (size_bytes: number) =>
    limits.judge({ row: { id: fills }, spec: {}, address: {} } as never, { size_bytes, started_ms: 1 } as never);
  let starts = false;
  const start = async () => {
    if (!starts) throw new Error('no room for it');
    return { host: '127.0.0.1', port: 5001, version: '18.4' };
  };
  const store = nodeDatabases(sql, node, 'machine');
  const steps = createStepRunner({
    store,
    driver: { start } as Partial<DatabaseDriver> as DatabaseDriver,
    toDatabaseSpec: () => ({}) as never,
    runTask: async () => undefined,
    renew: async () => undefined,
    tell: async () => undefined,
    alerts,
    backupsDir: '/nowhere',
    reserve: noReserve,
    log: createLog('silent'),
  });
  const tryStart = async () => {
    const row = (await store.one(dies))!;
    await steps.take({ step: 'start', row, state: undefined, task: undefined }, new AbortController().signal);
  };
  return [
    { message: /^Storage: More than 80 % of/, begin: () => holds(850), end: () => holds(100) },
    {
      message: /^The PostgreSQL database does not start/,
      async begin() {
        for (let times = 0; times < 4; times++) await tryStart();
      },
      end() {
        starts = true;
        return tryStart();
      },
    },
  ];
}
