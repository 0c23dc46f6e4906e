import { createHash, randomBytes } from 'node:crypto';
import { logs } from '@paddock/contract';
import { serve } from '../../http/serve.ts';
import { logDownload } from './download.ts';
import { isFiltering, type Level } from './line-sql.ts';
import type { LogStore } from './store.ts';
import { createTeamSemaphore } from './team-semaphore.ts';

const ticketSeconds = 60;

export const ticketHash = (ticket: string) => createHash('sha256').update(ticket).digest();

export const logRoutes = (store: LogStore) => {
  const turn = createTeamSemaphore();
  const download = logDownload(store, turn);
  return serve(logs, {
    async list({ id, limit, after, before, level, search }, { actor }) {
      const filter = { levels: levelsOf(level), search };
      const find = () => store.page(actor.team_id, id, { after, before, limit, ...filter });
      const { lines, searched_to } = await (isFiltering(filter) ? turn(actor.team_id, find) : find());
      return { logs: lines, next_cursor: null, searched_to };
    },
    async counts({ id, ...wanted }, { actor }) {
      await store.mustExist(actor.team_id, id);
      return turn(actor.team_id, () => store.counts(id, wanted));
    },
    async ticket({ id }, { actor }) {
      await store.mustExist(actor.team_id, id);
      const ticket = `pdt_${randomBytes(24).toString('base64url')}`;
      const { expires_at } = await store.saveTicket({
        token_hash: ticketHash(ticket),
        team_id: actor.team_id,
        reader: actor,
        deployment_id: id,
        lifetime_s: ticketSeconds,
      });
      return { ticket, expires_at };
    },
    async download({ id, level, ...wanted }, { actor, signal }) {
      await store.mustExist(actor.team_id, id);
      return download({ ...wanted, team_id: actor.team_id, deployment_id: id, levels: levelsOf(level) }, signal);
    },
  });
};

/** The contract allows only levels and commas. */
const levelsOf = (level: string | undefined) => level?.split(',') as Level[] | undefined;
