import { setTimeout as sleep } from 'node:timers/promises';
import { deploy, type Platform, reaches, until } from '../../apps/server/test/platform.ts';
import type { Api } from '../../apps/server/test/server.ts';
import { agentFiles, brokenFiles } from './agents.ts';
import type { Chance } from './random.ts';
import { newVersion, type Slot, serves, unsettle } from './slot.ts';
import { ask } from './visitor-thread.ts';

/** A deployment waits for earlier ones on a busy machine; one without dependencies takes well under a second. */
const activeSeconds = 180;

/** Everything that people do to agents. Each operation runs to its end and throws when the result is wrong. */
export function operations(platform: Platform, api: Api, { between, pick, next }: Chance) {
  const port = platform.gatewayPort;

  async function active(slot: Slot, id: string, version: string) {
    await reaches(api, id, ['active'], activeSeconds);
    serves(slot, version);
    slot.deployment_id = id;
    slot.history.push({ id, version });
  }

  async function create(slot: Slot) {
    const name = next() < 0.5 && slot.project ? slot.project.name : `soak-${slot.index}-${between(1, 999_999)}`;
    const { id, url } = await api.projects.create({ name }, { idempotency_key: `project-${slot.index}-${between(1, 2 ** 30)}` });
    Object.assign(slot, { project: { id, host: new URL(url).host, name }, history: [], deployment_id: undefined });
    await upload(slot);
  }

  async function upload(slot: Slot) {
    const version = newVersion(slot);
    slot.pending = version;
    const { id } = await deploy(api, slot.project!.id, agentFiles(slot.language, version));
    await active(slot, id, version);
  }

  /** Deploys the same code again, of this deployment or of an earlier one. */
  async function again(slot: Slot, how: 'redeploy' | 'rollback') {
    const source = how === 'redeploy' ? slot.history.at(-1) : pick(slot.history.slice(-12));
    if (!source) return await upload(slot);
    slot.pending = source.version;
    const { id } = await api.deployments[how]({ id: source.id });
    await active(slot, id, source.version);
  }

  async function crash(slot: Slot) {
    const version = slot.current;
    if (!version) return await upload(slot);
    unsettle(slot);
    const state = () => api.deployments.get({ id: slot.deployment_id! });
    const { restarts } = await state();
    await ask({ port, host: slot.project!.host, path: '/crash' }, false);
    // The agent answers before it dies, and on a busy machine the crash takes a while.
    await until(
      `${slot.project!.host} was seen to crash`,
      async () => {
        const now = await state();
        return now.restarts !== restarts || now.status === 'failed';
      },
      activeSeconds,
    );
    let isGivenUp = false;
    await until(
      `${slot.project!.host} came back after a crash`,
      async () => {
        isGivenUp = (await state()).status === 'failed';
        return isGivenUp || (await ask({ port, host: slot.project!.host }, false)).body === version;
      },
      activeSeconds,
    );
    serves(slot, isGivenUp ? undefined : version);
    if (isGivenUp) await upload(slot); // the fifth crash within ten minutes
  }

  async function stop(slot: Slot) {
    if (!slot.current) return await upload(slot);
    unsettle(slot);
    await api.deployments.stop({ id: slot.deployment_id! });
    serves(slot, undefined);
    await sleep(between(3, 20) * 1000);
    await (next() < 0.5 ? upload(slot) : again(slot, 'redeploy'));
  }

  async function renew(slot: Slot) {
    unsettle(slot);
    await api.projects.delete({ id: slot.project!.id });
    serves(slot, undefined);
    await create(slot);
  }

  /** A deployment that cannot start fails, and the previous one goes on serving. */
  async function breakOff(slot: Slot) {
    const { id } = await deploy(api, slot.project!.id, brokenFiles(newVersion(slot)));
    await reaches(api, id, ['failed'], activeSeconds);
  }

  async function cancel(slot: Slot) {
    const version = newVersion(slot);
    slot.pending = version;
    const { id } = await deploy(api, slot.project!.id, agentFiles(slot.language, version));
    const wasInTime = await api.deployments.cancel({ id }).then(
      () => true,
      () => false,
    );
    if (!wasInTime) return await active(slot, id, version);
    await reaches(api, id, ['stopped'], activeSeconds);
    slot.pending = undefined;
  }

  const weighted = { upload: 30, redeploy: 12, rollback: 12, crash: 16, stop: 10, renew: 8, breakOff: 7, cancel: 5 };
  const names = Object.entries(weighted).flatMap(([name, weight]) => Array<keyof typeof weighted>(weight).fill(name as 'upload'));
  const all = {
    upload,
    redeploy: (slot: Slot) => again(slot, 'redeploy'),
    rollback: (slot: Slot) => again(slot, 'rollback'),
    ...{ crash, stop, renew, breakOff, cancel },
  } satisfies Record<keyof typeof weighted, (slot: Slot) => Promise<void>>;
  return { create, any: () => pick(names), do: (name: keyof typeof weighted, slot: Slot) => all[name](slot) };
}
export type Operations = ReturnType<typeof operations>;
