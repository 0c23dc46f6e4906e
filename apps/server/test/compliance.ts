import { setTimeout as sleep } from 'node:timers/promises';
import type { ComplianceRun, ControlId, FrameworkId } from '@paddock/contract';
import type { Api } from './server.ts';

/** Starts a check like the button Run Check Now, and waits until it has ended. */
export async function checkNow(api: Api, framework: FrameworkId = 'soc2'): Promise<ComplianceRun> {
  let run = await api.compliance.check({ framework });
  for (let tries = 0; run.finished_at === null; tries++) {
    if (tries > 3_000) throw new Error(`the check of ${framework} stands at ${run.controls_done} of ${run.controls_total}`);
    await sleep(20);
    run = await api.compliance.run({ id: run.id });
  }
  return run;
}

/** The result of a control after a check: its status, and its findings on the resources that did not pass. */
export async function checked(api: Api, control: ControlId) {
  const run = await checkNow(api);
  const { status, resources, looked_at } = await api.compliance.control({ control });
  const wrong = resources.filter((one) => one.status !== 'passed');
  return { run, status, looked_at, resources, findings: wrong.map(({ finding }) => finding), ids: wrong.map(({ id }) => id) };
}
