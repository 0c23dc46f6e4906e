import type { Sql } from '@paddock/database';
import { machineIdentity } from '@paddock/network';
import type { Logger } from 'pino';
import { within } from '../database.ts';
import type { Limits } from '../limits.ts';
import { routeTaps, type Tap } from '../taps/tap.ts';
import type { Route } from './route.ts';

export interface RoutingTable {
  /** False until the table was read for the first time: nobody can say yet which agents there are. */
  isLoaded: () => boolean;
  find: (label: string) => Route | undefined;
  /**
   * The route as the database has it now, for one that is said to be starting: the notice of its agent may still be on its way. Undefined
   * when that was asked a moment ago, or the route is in another state.
   */
  lookAgain: (label: string) => Promise<Route | undefined> | undefined;
  /** Reads the table and follows its changes until `stop`. Keeps the last known routes while the database is away. */
  start: () => Promise<void>;
  stop: () => Promise<void>;
}

const machine = machineIdentity();

interface Row {
  label: string;
  deployment_id: string | null;
  state: Exclude<Route['state'], 'elsewhere'>;
  target_host: string | null;
  target_port: number | null;
  target_machine: string | null;
  version: number;
}

/**
 * The routes of all agents, in memory. Three ways keep it right: NOTIFY names the label that changed, each new LISTEN
 * connection reads everything (what was said while it was away is lost), and a fingerprint is compared every few seconds.
 */
export function routingTable(parts: {
  sql: Sql;
  limits: Limits;
  log: Logger;
  /** Called for a target that no route has any more. */
  onTargetGone: (key: string) => void;
  /** The taps of a route, asked once for each time that the route is read. */
  tapsOf: (route: Pick<Route, 'label' | 'deployment_id'>) => readonly Tap[];
}): RoutingTable {
  const { sql, limits, log } = parts;
  let routes = new Map<string, Route>();
  let isLoaded = false;
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  let unlisten: (() => Promise<void>) | undefined;
  // One read at a time, so that an older answer never overwrites a newer one.
  let reading: Promise<void> | undefined;
  let wantsAll = false;
  const wanted = new Set<string>();
  /** Starting routes that were looked at for visitors, who may not ask the database more often than that; each is forgotten after a while. */
  const looks = new Map<string, Promise<Route | undefined> | undefined>();

  return { isLoaded: () => isLoaded, find: (label) => routes.get(label), lookAgain, start, stop };

  function lookAgain(label: string): Promise<Route | undefined> | undefined {
    if (isStopped || routes.get(label)?.state !== 'starting') return undefined;
    if (looks.has(label)) return looks.get(label);
    wanted.add(label);
    const look = read().then(() => {
      looks.set(label, undefined);
      setTimeout(() => looks.delete(label), limits.lookAgainMs).unref();
      return routes.get(label);
    });
    looks.set(label, look);
    return look;
  }

  async function start(): Promise<void> {
    schedulePoll();
    wantsAll = true;
    const [, listening] = await Promise.allSettled([read(), listen()]);
    if (listening.status === 'rejected') log.warn({ err: listening.reason }, 'routes cannot be followed yet');
  }

  async function listen(): Promise<void> {
    // Also called after each reconnect.
    const onListening = () => {
      wantsAll = true;
      void read();
    };
    const onChange = (label: string) => {
      wanted.add(label);
      void read();
    };
    const subscription = await sql.listen('routes', onChange, onListening);
    unlisten = () => subscription.unlisten();
  }

  async function stop(): Promise<void> {
    isStopped = true;
    clearTimeout(timer);
    await unlisten?.().catch((err: unknown) => log.debug({ err }, 'could not unlisten'));
    await reading;
  }

  function schedulePoll(): void {
    timer = setTimeout(() => void poll().finally(() => isStopped || schedulePoll()), limits.routesPollMs);
  }

  async function poll(): Promise<void> {
    try {
      // Versions come from a sequence but commit in any order, so the greatest alone would miss a late one.
      const [row] = await within(
        limits.databaseMs,
        sql<[{ count: number; sum: string }]>`select count(*)::int as count, coalesce(sum(version), 0)::text as sum from routes`,
      );
      let sum = 0n;
      for (const route of routes.values()) sum += BigInt(route.version);
      if (isLoaded && row.count === routes.size && row.sum === String(sum)) return;
      wantsAll = true;
      await read();
    } catch (err) {
      log.warn({ err }, 'routes cannot be read; the last known ones are used');
    }
  }

  function read(): Promise<void> {
    reading ??= readWanted().finally(() => {
      reading = undefined;
    });
    return reading;
  }

  async function readWanted(): Promise<void> {
    for (;;) {
      if (isStopped || (!wantsAll && wanted.size === 0)) return;
      const labels = wantsAll ? undefined : [...wanted];
      wantsAll = false;
      wanted.clear();
      try {
        await (labels ? readLabels(labels) : readAll());
      } catch (err) {
        // The poll finds the difference again.
        log.warn({ err }, 'routes cannot be read; the last known ones are used');
        return;
      }
    }
  }

  async function readAll(): Promise<void> {
    const rows = await within(
      limits.databaseMs,
      sql<Row[]>`select label, deployment_id, state, target_host, target_port, target_machine, version from routes`,
    );
    replace(new Map(rows.map((row) => [row.label, routeOf(row)])), [...routes.values()]);
    isLoaded = true;
  }

  async function readLabels(labels: string[]): Promise<void> {
    const rows = await within(
      limits.databaseMs,
      sql<
        Row[]
      >`select label, deployment_id, state, target_host, target_port, target_machine, version from routes where label in ${sql(labels)}`,
    );
    const before = labels.flatMap((label) => routes.get(label) ?? []);
    for (const label of labels) routes.delete(label);
    for (const row of rows) routes.set(row.label, routeOf(row));
    replace(routes, before);
  }

  function routeOf(row: Row): Route {
    return { ...fromRow(row), taps: routeTaps(parts.tapsOf(row)) };
  }

  function replace(next: Map<string, Route>, before: Route[]): void {
    routes = next;
    const old = new Set(before.flatMap((route) => route.target?.key ?? []));
    if (old.size === 0) return;
    const used = new Set([...routes.values()].flatMap((route) => route.target?.key ?? []));
    for (const key of old) if (!used.has(key)) parts.onTargetGone(key);
  }
}

function fromRow(row: Row): Omit<Route, 'taps'> {
  const hasTarget = row.state === 'active' && row.target_host !== null && row.target_port !== null;
  // The same address may be somebody else's agent here.
  const isElsewhere = hasTarget && row.target_machine !== null && row.target_machine !== machine;
  const isReachable = hasTarget && !isElsewhere;
  let { state }: Pick<Route, 'state'> = row;
  if (isElsewhere) state = 'elsewhere';
  // An active route without a target: its instance is just being replaced.
  else if (state === 'active' && !isReachable) state = 'starting';
  return {
    label: row.label,
    deployment_id: row.deployment_id,
    state,
    target: isReachable ? { host: row.target_host!, port: row.target_port!, key: `${row.target_host!}:${row.target_port!}` } : undefined,
    version: row.version,
  };
}
