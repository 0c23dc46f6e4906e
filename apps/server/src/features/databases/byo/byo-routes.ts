import { ApiError, type Database } from '@paddock/contract';
import type { RateLimit } from '../../../http/rate-limit.ts';
import type { SignedIn } from '../../../http/serve.ts';
import type { ByoHandlers } from '../routes.ts';
import type { CheckByo } from './byo-check.ts';
import type { ByoStore } from './byo-store.ts';

/** Rate limit per team for connections to addresses given by users. */
const checkLimit = { max: 20, windowSeconds: 60 };

interface Deps {
  store: Pick<ByoStore, 'create' | 'mayChange' | 'change'>;
  check: CheckByo;
  limit: Pick<RateLimit, 'take'>;
  /** The database as the API shows it. */
  get: (team_id: string, id: string) => Promise<Database>;
}

/** Consumes one of the team's checks; throws too_many_requests. Also used for deployments that bring addresses. */
export const takeCheck = (limit: Pick<RateLimit, 'take'>, team_id: string) =>
  limit.take([{ key: `database-check:${team_id}`, ...checkLimit }]).catch((error: unknown) => {
    if (!(error instanceof ApiError) || error.code !== 'too_many_attempts') throw error;
    throw new ApiError('too_many_requests', { retry_after_s: error.retry_after_s ?? checkLimit.windowSeconds });
  });

export function byoHandlers({ store, check, limit, get }: Deps): ByoHandlers {
  const checked = async (type: Database['type'], url: string, { actor, signal }: SignedIn) => {
    await takeCheck(limit, actor.team_id);
    return check({ type, url }, signal);
  };
  return {
    async create({ project_id, environment, type, url }, context) {
      const { actor, newId } = context;
      const id = newId('db');
      await store.create(actor.team_id, { id, project_id, environment, checked: await checked(type, url, context) });
      return get(actor.team_id, id);
    },
    async update({ id, url }, context) {
      const type = await store.mayChange(context.actor.team_id, id);
      await store.change(context.actor.team_id, id, await checked(type, url, context));
      return get(context.actor.team_id, id);
    },
    async check({ type, url }, context) {
      const { reachable, message } = await checked(type, url, context);
      return { reachable, message };
    },
  };
}
