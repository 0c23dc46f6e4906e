import type { Sql } from '@paddock/database';
import type { Logger } from 'pino';
import type { Limits } from '../limits.ts';
import type { Route } from './route.ts';
import { createRouteCache } from './route-cache.ts';
import { createRouteLoader } from './route-loader.ts';
import { createRouteRefresh } from './route-refresh.ts';
import { routeRows } from './route-rows.ts';

export interface RoutingTable {
  /** False until the table was first read: before that it is unknown which agents exist. */
  isLoaded: () => boolean;
  find: (label: string) => Route | undefined;
  /**
   * The route in the database, for a label without a running agent: its notification may still be on its way. Undefined when it was
   * read recently, when the database does not respond, or when an agent runs.
   */
  rereadRoute: (label: string) => Promise<Route | undefined> | undefined;
  /** Reads the table and follows its changes until `stop`. Keeps the last known routes while the database is away. */
  start: () => Promise<void>;
  stop: () => Promise<void>;
}

/**
 * The routes of all agents, in memory. Three mechanisms keep it current: NOTIFY names the label that changed, each new LISTEN
 * connection reads everything (notifications during its absence are lost), and a fingerprint is compared every few seconds.
 */
export function routingTable(parts: { sql: Sql; limits: Limits; log: Logger } & Parameters<typeof createRouteCache>[0]): RoutingTable {
  const { sql, limits, log } = parts;
  const rows = routeRows(sql, limits.databaseMs);
  const held = createRouteCache(parts);
  const reading = createRouteLoader({
    readAll: async () => {
      held.replaceAll(await rows.all());
      isLoaded = true;
      isAway = false;
    },
    readLabels: async (labels) => {
      held.replaceSome(labels, await rows.labelled(labels));
      isAway = false;
    },
    // The next poll detects the difference again.
    onFailed: warn,
  });
  const readRoute = async (label: string) => {
    await reading.label(label);
    return held.find(label);
  };
  const known = createRouteRefresh({ pauseMs: limits.lookAgainMs, max: limits.labelsLookedAgain }, readRoute);
  const unknown = createRouteRefresh({ pauseMs: limits.lookAgainMs, max: limits.unknownLabelsLookedFor }, readRoute);
  let isLoaded = false;
  /** The last read of the database failed. */
  let isAway = false;
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  let unlisten: (() => Promise<void>) | undefined;

  return { isLoaded: () => isLoaded, find: held.find, rereadRoute, start, stop };

  function warn(err: unknown): void {
    isAway = true;
    log.warn({ err }, 'reading routes failed; using the last known ones');
  }

  function rereadRoute(label: string): Promise<Route | undefined> | undefined {
    const route = held.find(label);
    if (isStopped || isAway || route?.target) return undefined;
    return (route === undefined ? unknown : known).look(label);
  }

  async function start(): Promise<void> {
    schedulePoll();
    const [, listening] = await Promise.allSettled([reading.all(), listen()]);
    if (listening.status === 'rejected') log.warn({ err: listening.reason }, 'subscribing to route changes failed; polling');
  }

  async function listen(): Promise<void> {
    // The last callback is also called after each reconnect.
    const subscription = await sql.listen(
      'routes',
      (label) => void reading.label(label),
      () => void reading.all(),
    );
    unlisten = () => subscription.unlisten();
  }

  async function stop(): Promise<void> {
    isStopped = true;
    clearTimeout(timer);
    await unlisten?.().catch((err: unknown) => log.debug({ err }, 'could not unlisten'));
    await reading.stop();
  }

  function schedulePoll(): void {
    timer = setTimeout(() => void poll().finally(() => isStopped || schedulePoll()), limits.routesPollMs);
  }

  async function poll(): Promise<void> {
    try {
      const table = await rows.fingerprint();
      isAway = false;
      if (!isLoaded || !held.isLike(table)) await reading.all();
    } catch (err) {
      warn(err);
    }
  }
}
