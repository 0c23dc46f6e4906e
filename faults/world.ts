import { randomBytes } from 'node:crypto';
import { connect, type Sql } from '../apps/server/src/db/connect.ts';
import { deploy, type Platform, reaches, type Scope, type Surroundings, startPlatform } from '../apps/server/test/platform.ts';
import { atEnd } from '../apps/server/test/postgres.ts';
import { type Api, apiOf } from '../apps/server/test/server.ts';
import { sized } from '../scripts/test/size.ts';
import { counterAgent } from './agents.ts';
import { failpoints, type Points } from './failpoints/points.ts';
import { type Resources, resourcesOf } from './invariants/resources.ts';
import { startVisitor, type Visitor } from './visitor.ts';

/**
 * The pause between two visits of the steady agent. No fault touches that agent, so an outage would last for seconds, if there were one.
 * Each visit costs several processes some milliseconds. Visitors of changing agents come more often.
 */
const steadyPauseMs = sized({ short: 100, long: 20 });

/** A platform under test with everything that the invariants need to know of it. */
export interface World {
  paddock: Platform;
  points: Points;
  sql: Sql;
  /** The person who deploys, and a person of another team. */
  api: Api;
  token: string;
  other: Api;
  /** Secrets given to the platform. They must not appear anywhere else. */
  canaries: string[];
  /** Writes that were answered with 2xx and must remain readable. */
  acknowledged: Acknowledged[];
  /** An agent that no fault touches: it never stops answering. */
  steady: { id: string; project_id: string; host: string; born: string; visitor: Visitor };
  /** Descriptors, processes and connections when the platform was idle. */
  before: Resources;
}
export interface Acknowledged {
  what: string;
  read: (api: Api) => Promise<unknown>;
}

let shared: Promise<World> | undefined;

/** The shared world of all faults that leave it as it was. */
export const sharedWorld = () => (shared ??= startWorld(undefined));

/** A platform with failpoints, a visited agent and canaries in its variables. `direct` returns a database URL that bypasses the broken path. */
export async function startWorld(
  scope: Scope | undefined,
  settings: Record<string, string> = {},
  { direct, ...around }: Surroundings & { direct?: (paddock: Platform) => Promise<string> } = {},
): Promise<World> {
  const points = failpoints();
  const paddock = await startPlatform(
    scope,
    { ...points.env, ...settings },
    { ...around, execArgv: [...points.execArgv, ...(around.execArgv ?? [])] },
  );
  const sql = connect(direct ? await direct(paddock) : paddock.databaseUrl, { max: 2, name: 'faults' });
  const { api, token } = await paddock.person();
  const other = (await paddock.person()).api;
  const canaries = ['runtime', 'build'].map((kind) => `CANARY_ada_${kind}_${randomBytes(12).toString('hex')}`);
  const { id: project_id } = await api.projects.create({ name: 'steady' });
  await setCanaries(api, project_id, canaries);
  const made = await deploy(api, project_id, counterAgent('up'));
  await reaches(api, made.id, ['active']);
  const host = 'steady.localhost';
  const born = (await paddock.visit(host, '/born')).body;
  const visitor = startVisitor({ gatewayPort: paddock.gatewayPort, pauseMs: steadyPauseMs }, host, (answer) => answer === '200 up');
  // The cleanup runs before the platform ends, which ends the agents.
  const end = async () => {
    points.clear();
    await visitor.stop();
    await sql.end();
  };
  if (scope) scope.after(end);
  else atEnd(end);
  const world = { paddock, points, sql, api, token, other, canaries, steady: { id: made.id, project_id, host, born, visitor } };
  const acknowledged = [{ what: 'the steady deployment', read: (reader: Api) => reader.deployments.get({ id: made.id }) }];
  return { ...world, acknowledged, before: await resourcesOf(world) };
}

/** Another project of the same person, with the canaries among its variables. */
export async function newProject(world: World, name: string) {
  const { id } = await world.api.projects.create({ name });
  await setCanaries(world.api, id, world.canaries);
  world.acknowledged.push({ what: `project ${name}`, read: (api) => api.projects.get({ id }) });
  return { id, host: `${name}.localhost` };
}

/** Kills nothing itself: arms a failpoint, does what leads there, waits for the death and starts the server again. */
export async function dieAt(world: World, at: string | { point: string; after: number }, act: () => Promise<unknown>) {
  const { point, ...options } = typeof at === 'string' ? { point: at } : at;
  world.points.arm(point, { do: 'die', ...options });
  const acted = act().then(
    () => 'answered',
    (error: Error) => error.message,
  );
  const { signal } = await world.paddock.gone();
  if (signal !== 'SIGKILL' || world.points.hits(point) === 0) throw new Error(`the server ended with ${signal}, not at ${point}`);
  await acted;
  const begun = performance.now();
  await world.paddock.boot();
  return { bootMs: Math.round(performance.now() - begun) };
}

/** A new session of the same person: tokens outlive a restart, this is for other origins. */
export const apiAt = (origin: string, token: string) => apiOf(origin, token);

async function setCanaries(api: Api, project_id: string, [runtime, build]: string[]) {
  const variables = [
    { key: 'CANARY_RUNTIME', value: runtime! },
    { key: 'CANARY_BUILD', value: build!, available_at_build: true },
  ];
  await api.variables.set({ project_id, environment: 'production', variables });
}
