import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { zip } from '../../apps/server/test/archives.ts';
import { deploy, reaches, until } from '../../apps/server/test/platform.ts';
import { atEnd } from '../../apps/server/test/postgres.ts';
import { built } from '../agents.ts';
import type { Fault } from '../fault.ts';
import { checkInvariants } from '../invariants/check.ts';
import { startVisitor, type Visitor } from '../visitor.ts';
import { dieAt, newProject, sharedWorld } from '../world.ts';
import { againUntilAnswered } from './upload.ts';

/** kill -9 of the server before and after each durable step of a deployment (F3 to F7), while the previous deployment serves. */
const moments: [point: string, when: string, short?: 'short'][] = [
  ['claimed', 'when a queued deployment is claimed'],
  ['building-noted', 'when building is noted and not begun'],
  ['plan-noted', 'when the plan is noted'],
  ['artifact-drafted', 'when the artifact is made and not in its place'],
  ['built', 'when it is built and that is not noted'],
  ['deploying-noted', 'when deploying is noted and nothing started'],
  ['instance-noted', 'when the id of the process is noted and nothing started'],
  ['slot-taken', 'when the sandbox is half made'],
  ['sandbox-made', 'when the sandbox is made and empty'],
  ['process-started', 'when the process runs and nobody knows'],
  ['agent-started', 'when the agent runs and is not ready', 'short'],
  ['ready', 'when the agent is ready and the address elsewhere'],
  ['swap-uncommitted', 'in the middle of the swap'],
  ['swapped', 'when the address has moved'],
];

let moving: Promise<{ id: string; host: string; visitor: Visitor; serve: (text: string) => void }> | undefined;

/** The one project that all of these deployments share. It is visited all the time: old or new must answer, and never the old after the new. */
const movingProject = () => (moving ??= begin());
async function begin() {
  const world = await sharedWorld();
  const { id, host } = await newProject(world, 'moving');
  const first = await deploy(world.api, id, built('first', 0));
  await reaches(world.api, first.id, ['active']);
  let texts = ['first'];
  let swapped = true;
  const visitor = startVisitor(world.paddock, host, (answer) => {
    if (answer === `200 ${texts.at(-1)}`) swapped = true;
    return texts.slice(swapped ? -1 : -2).some((text) => answer === `200 ${text}`);
  });
  atEnd(visitor.stop);
  return {
    ...{ id, host, visitor },
    serve(text: string) {
      texts = [texts.at(-1)!, text];
      swapped = false;
    },
  };
}

export const faults: Fault[] = moments.map(([point, when, short]) => ({
  id: `server-killed-${point}`,
  fault: `kill -9 of the server ${when}`,
  expected: 'the deployment becomes active under its id, the one before answers until then, every line is there once',
  short: short !== undefined,
  failpoints: [point],
  async run() {
    const world = await sharedWorld();
    const { id, visitor, serve } = await movingProject();
    const [file, idempotency_key] = [zip(built(point, 0)), randomUUID()];
    const upload = async () =>
      (await world.api.deployments.create({ project_id: id, file, file_name: 'agent.zip' }, { idempotency_key })).id;
    let answered: string | undefined;
    serve(point);
    const { bootMs } = await dieAt(world, point, async () => {
      answered = await upload();
    });
    // The work begins when the deployment is committed. The uploader may not have its response by then, and retries.
    const made = answered ?? (await againUntilAnswered(upload));
    world.acknowledged.push({ what: made, read: (api) => api.deployments.get({ id: made }) });
    const begun = performance.now();
    const active = await reaches(world.api, made, ['active']);
    const activeMs = Math.round(performance.now() - begun);
    assert.equal(active.restarts, 0, 'a death of the server is no crash of the agent');
    await until('the new one answers', async () => visitor.last() === `200 ${point}`);
    const { visits } = visitor.check();
    const steady = await checkInvariants(world);
    return `up again after ${bootMs} ms, active ${activeMs} ms later under its id; ${visits} visits of its address answered by the old or the new; ${steady}`;
  },
}));
