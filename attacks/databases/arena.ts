import { type Platform, startPlatform } from '../../apps/server/test/platform.ts';
import { deployManaged, type Managed, query, redisCall, urlOf } from '../../faults/databases/managed.ts';
import { placeOf } from '../agents/arena.ts';
import { attemptMs, tryEach } from '../attempts.ts';
import { hostile } from './hostile.ts';

export type Try = 'dial' | 'sql' | 'redis' | 'sh';
export interface Urls {
  postgresql: string;
  redis: string;
}

const quiet = { 'server.js': `require('http').createServer((q, r) => r.end('the neighbour')).listen(process.env.PORT);` };
export const marker = 'CANARY_of_the_neighbour';

/** A team with data in both databases, and a hostile agent of another team that has databases of its own and knows all connection strings. */
export async function openArena() {
  const paddock = await startPlatform(undefined);
  const [eve, ada] = [await paddock.person(), await paddock.person()];
  const neighbour = await deployManaged(ada.api, { name: 'neighbour', files: quiet });
  const theirs = { postgresql: await urlOf(ada.api, neighbour.postgresql), redis: await urlOf(ada.api, neighbour.redis) };
  await query(theirs.postgresql, `create table secrets as select '${marker}'::text as secret`);
  await redisCall(theirs.redis, 'SET', 'secret', marker);
  const agent = await deployManaged(eve.api, { name: 'hostile', files: hostile() });
  const own = { postgresql: await urlOf(eve.api, agent.postgresql), redis: await urlOf(eve.api, agent.redis) };
  const place = placeOf(paddock.dataDir, agent.deployment_id);
  const neighbours = placeOf(paddock.dataDir, neighbour.deployment_id);
  if (!place || !neighbours) throw new Error('The agents have no networks of their own; this suite needs root.');
  return { paddock, theirs, own, agent, place, neighbours, attempt: attemptsOf(paddock, agent) };
}
export type Arena = Awaited<ReturnType<typeof openArena>>;

/** Makes the hostile agent try these one by one. The results are in the order of the attempts. */
export const attemptsOf = (paddock: Pick<Platform, 'visit'>, agent: Pick<Managed, 'host'>) => (work: Try, of: unknown[][]) =>
  tryEach(of, async (one) => {
    const { body } = await paddock.visit(agent.host, `/${work}?of=${encodeURIComponent(JSON.stringify([one]))}`, {}, attemptMs);
    const [got = ''] = JSON.parse(body) as string[];
    return got;
  });
