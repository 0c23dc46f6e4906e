import type { Deployment } from '@paddock/contract';
import { clockDuration } from '../../ui/text/time.ts';

type Times = Pick<
  Deployment,
  'status' | 'failed_stage' | 'agent_type' | 'created_at' | 'building_at' | 'deploying_at' | 'deployed_at' | 'ended_at'
>;

export interface StageTime {
  stage: 'queued' | 'building' | 'deploying' | 'active';
  label: string;
  /** Null for a stage that was not reached. */
  ms: number | null;
}

/** The duration of each stage; of the current stage until now. */
export function stageTimes(deployment: Times, now: number): StageTime[] {
  const { created_at, building_at, deploying_at, deployed_at, ended_at, status } = deployment;
  const marks = [created_at, building_at, deploying_at, deployed_at].map(moment);
  const end = moment(ended_at) ?? now;
  const isOver = status === 'failed' || status === 'stopped' || status === 'completed';
  return (['queued', 'building', 'deploying', 'active'] as const).map((stage, index) => {
    const from = marks[index] ?? null;
    const until = marks.slice(index + 1).find((mark) => mark !== null) ?? (isOver ? end : now);
    // A job is never active: its last stage is its run.
    const isRun = stage === 'active' && status === 'completed';
    return { stage, label: isRun ? 'completed' : stage, ms: from === null || isRun ? null : Math.max(0, until - from) };
  });
}

/** The note beside a row's rail: the stage in which the deployment failed, or how long it took or takes to become active. */
export function railNote(deployment: Times, now: number): string | undefined {
  const { status, failed_stage, created_at, deployed_at } = deployment;
  if (status === 'failed') return failed_stage ? `at ${stageVerb[failed_stage]}` : undefined;
  if (status === 'stopped' || status === 'queued') return undefined;
  return clockDuration((moment(deployed_at) ?? now) - Date.parse(created_at));
}

const stageVerb = { queued: 'queue', building: 'build', deploying: 'start', active: 'run' } as const;
const moment = (time: string | null) => (time === null ? null : Date.parse(time));
