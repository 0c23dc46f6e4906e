import { type System, system } from '@paddock/contract';
import type { Changes } from '../../db/changes.ts';
import type { Sql } from '../../db/connect.ts';
import { serve } from '../../http/serve.ts';

/** Shorter than the time that proxies commonly allow a silent request. */
const maxWaitMs = 25_000;

export const systemRoutes = (sql: Sql, changes: Changes, describe: () => Promise<System>) =>
  serve(system, {
    get: describe,
    async changes({ after }, { actor, signal }) {
      const version = async () =>
        (
          await sql<[{ version: number }]>`
            select version
            from teams
            where id = ${actor.team_id}`
        )[0].version;
      const done = new AbortController();
      // Listens before the read, because a change between the two would be missed.
      const heard = changes.wait('changes', { payload: actor.team_id, maxMs: maxWaitMs }, AbortSignal.any([signal, done.signal]));
      const now = await version();
      if (now !== after) done.abort();
      await heard;
      return { version: now === after ? await version() : now };
    },
  });
