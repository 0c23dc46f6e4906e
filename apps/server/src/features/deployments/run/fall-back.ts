import type { Instance } from '@paddock/runtime';
import type { Fallback } from '../predecessor.ts';
import type { SupervisedDeployment } from '../supervised.ts';
import { earlyCrashMessage } from './failure-messages.ts';
import { readAgentVariables } from './variables-of-agent.ts';
import type { WorkerDeps } from './worker-deps.ts';

interface EarlyExit {
  instance: Instance;
  exit: NonNullable<Instance['exit']>;
  /** Instances on this node. */
  present: ReadonlyMap<string, Instance>;
}

/**
 * Fails a deployment that crashed in its first minute, and restores its predecessor: its own process if it still drains here, else a new
 * one from its build.
 */
export async function failAndFallBack(parts: WorkerDeps, d: SupervisedDeployment, { instance, exit, present }: EarlyExit): Promise<void> {
  const tail = await parts.lastLines(instance);
  const seconds = Math.max(0, Math.round((Date.parse(exit.at) - Date.parse(instance.started_at)) / 1000));
  const message = earlyCrashMessage(exit, seconds, { limits: parts.limits, tail, ...(await readAgentVariables(parts, d.id)) });
  const predecessor = await findFallback(parts, d.id, present);
  const held = await parts.transitions.seize(d.id);
  if (!held) return;
  const isBack = await parts.transitions.failed(held, { stage: 'deploying', message, predecessor });
  const out = parts.openLog(d);
  out.write('platform', 'error', message.split('\n\nLast lines:')[0]!);
  if (isBack) out.write('platform', 'info', 'The deployment before it serves again');
  await out.flush();
}

async function findFallback(parts: WorkerDeps, id: string, present: ReadonlyMap<string, Instance>): Promise<Fallback | undefined> {
  const before = await parts.transitions.predecessorOf(id);
  if (!before) return undefined;
  const runs = before.drains_here && present.get(before.instance_id ?? '')?.state === 'running';
  if (!runs) return { id: before.id, goesOn: false, target: undefined };
  if (before.agent_type !== 'web') return { id: before.id, goesOn: true, target: undefined };
  // A web agent that was restarting when it was replaced has no address yet; only a start finds its port.
  if (before.instance_port === null) return { id: before.id, goesOn: false, target: undefined };
  const target = await parts.driver.expose(before.instance_id!, before.instance_port).catch((error: unknown) => {
    parts.log.warn({ err: error, deployment: before.id }, 'draining predecessor could not be exposed again; restarting it');
    return undefined;
  });
  return { id: before.id, goesOn: target !== undefined, target };
}
