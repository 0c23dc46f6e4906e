import type { PlantedBug } from '../bug.ts';

const deployments = 'apps/server/src/features/deployments';
const access = 'apps/server/src/http/access.test.ts';

/** Bugs in deployments: leases, switches, drains. */
export const deploymentBugs: PlantedBug[] = [
  {
    bug: 'a change of a deployment no longer asks for the fence',
    promise: 'P2, I3: who has lost the lease changes nothing',
    file: `${deployments}/leases.ts`,
    from: 'd.id = ${id} and d.fence = ${fence}`',
    to: 'd.id = ${id} and ${fence}::bigint > 0`',
    caught_by: { file: `${deployments}/leases.test.ts`, test: 'a worker that lost its lease' },
  },
  {
    bug: 'a lease is not renewed',
    promise: 'P2: what is worked on is not taken away',
    file: `${deployments}/leases.ts`,
    from: 'set lease_until = now() + ${lease}::interval',
    to: 'set lease_until = d.lease_until',
    caught_by: { file: `${deployments}/leases.test.ts`, test: 'a lease that is renewed' },
  },
  {
    bug: 'a lease never ends',
    promise: 'P2: the work of a dead worker is taken over',
    file: `${deployments}/leases.ts`,
    from: '(d.lease_until is null or d.lease_until < now())',
    to: '(d.lease_until is null)',
    caught_by: { file: `${deployments}/leases.test.ts`, test: 'work whose lease has ended' },
  },
  {
    bug: 'an older deployment that is ready later takes the address back',
    promise: 'I3: traffic goes to the newest',
    file: `${deployments}/activation.ts`,
    from: 'if (newer) {',
    to: 'if (newer && !newer) {',
    caught_by: { file: `${deployments}/leases.test.ts`, test: 'a deployment that is ready after a newer one' },
  },
  {
    bug: 'the address moves when the build begins, not when the agent is ready',
    promise: 'P3: the old version serves until the new one is ready',
    file: `${deployments}/addresses.ts`,
    from: 'where routes.target_host is null`',
    to: ', target_host = null, target_port = null`',
    caught_by: { file: `${deployments}/leases.test.ts`, test: 'while a new version is built' },
  },
  {
    bug: 'the one before is ended at once instead of draining',
    promise: 'P3: requests under way end where they began',
    file: `${deployments}/activation.ts`,
    from: 'then ${`${keptSeconds} seconds`} else',
    to: 'then ${`${keptSeconds * 0} seconds`} else',
    caught_by: { file: `${deployments}/drain.test.ts`, test: 'a request that is under way' },
  },
  {
    bug: 'a move does not say who asked for it',
    promise: 'each move is noted with its cause and its person',
    file: `${deployments}/states.ts`,
    from: '${why}, ${who ?? null}',
    to: '${why}, ${who && null}',
    caught_by: { file: `${deployments}/states.test.ts`, test: 'each move of a deployment is noted' },
  },
  {
    bug: 'deployments are read without asking whose they are',
    promise: 'P6: nothing of one team is readable by another',
    file: `${deployments}/visible.ts`,
    from: 'const visible = (team_id: string, tx: Tx = sql) => tx`',
    to: 'const visible = (_: string, tx: Tx = sql, team_id = tx`d.team_id`) => tx`',
    caught_by: { file: access, test: 'with the id of another team' },
  },
  {
    bug: 'every build of the last week is kept',
    promise: 'I11: disk is bounded however often a project is deployed',
    file: `${deployments}/retained-artifacts.ts`,
    from: 'where runs or (place <= ${artifactsKept} and',
    to: 'where runs or (place > ${artifactsKept * 0} and',
    caught_by: { file: `${deployments}/artifacts.test.ts`, test: 'of an environment the last ten builds' },
  },
];
