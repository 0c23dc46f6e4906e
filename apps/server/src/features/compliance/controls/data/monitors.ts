import { statfs } from 'node:fs/promises';
import { type AlertRuleName, alertRules } from '@paddock/contract';
import { cutText } from '@paddock/contract/figures';
import type { Control, ControlFinding } from '../../control.ts';
import type { ControlDeps } from '../../control-deps.ts';
import { agoText, count, failed, passed, type Subject, unverified, within } from '../../finding.ts';
import { type LiveAgent, monitorStore } from './monitor-store.ts';

type Deps = Pick<ControlDeps, 'sql' | 'dataDir'> & {
  /** Blocks of the disk below a folder. */
  disk?: (folder: string) => Promise<{ blocks: number; bavail: number }>;
};

/** Rules without which nobody is notified that an agent fails. */
const wanted: readonly AlertRuleName[] = ['error_rate', 'agent_down', 'out_of_memory'];
const freshMs = 5 * 60_000;
const minFreeShare = 0.2;

/** MON-03: every agent in production is sampled, its rules are on, and a fifth of the disk is free. */
export function agentMonitorControl({ sql, dataDir, disk = statfs }: Deps): Control {
  const store = monitorStore(sql);
  return {
    id: 'MON-03',
    of: 'team',
    async check(team_id) {
      const agents = await store.live(team_id);
      const switched = await store.switched(team_id, wanted);
      const isOn = (project_id: string, rule: AlertRuleName) =>
        switched.find((one) => one.project_id === project_id && one.rule === rule)?.is_on ?? alertRules[rule].isOn;
      const resources = agents.map((agent) =>
        watched(
          agent,
          wanted.filter((rule) => !isOn(agent.project_id, rule)),
        ),
      );
      return {
        looked_at: `${count(agents.length, 'agent')} in production with its last figures and its alert rules, and the free space of the data directory.`,
        resources: [...resources, await headroom(dataDir, disk)],
      };
    },
  };
}

function watched(
  { deployment_id, project_id, name, deployed_at, sampled_at, now }: LiveAgent,
  off: readonly AlertRuleName[],
): ControlFinding {
  const subject: Subject = { type: 'deployment', id: deployment_id, name };
  const at = Date.parse(now);
  const evidence = { sampled_at, rules_off: [...off] };
  if (off.length > 0) {
    const fix = {
      text: `Switch on for this project: ${off.map((rule) => alertRules[rule].label).join(', ')}.`,
      path: `/settings?tab=alerts&project=${project_id}`,
    };
    return failed(subject, `Alert rules of this agent are off: ${off.map((rule) => alertRules[rule].label).join(', ')}.`, {
      evidence,
      fix,
    });
  }
  const fix = { text: 'Look whether the agent and its node run.', path: `/deployments/${deployment_id}` };
  if (sampled_at !== null && within(sampled_at, freshMs, at))
    return passed(subject, `The agent was looked at ${agoText(sampled_at, at)}, and its alert rules are on.`, evidence);
  if (sampled_at === null && deployed_at !== null && within(deployed_at, freshMs, at))
    return unverified(subject, 'The agent has just begun to serve, and there are no figures of it yet.', { evidence, fix });
  const since =
    sampled_at === null ? 'There are no figures of this agent' : `The last figures of this agent are from ${agoText(sampled_at, at)}`;
  return failed(subject, `${since}; they should be no older than five minutes.`, { evidence, fix });
}

async function headroom(dataDir: string, disk: NonNullable<Deps['disk']>): Promise<ControlFinding> {
  const subject: Subject = { type: 'installation', id: 'disk', name: 'Disk of the data directory' };
  const fix = { text: 'The operator frees space or gives the data directory a larger disk.' };
  const found = await disk(dataDir).catch((error: NodeJS.ErrnoException) => error);
  if (found instanceof Error) return unverified(subject, `The free space cannot be read (${found.code ?? found.message}).`, { fix });
  const free = found.blocks > 0 ? found.bavail / found.blocks : 0;
  const evidence = { free_percent: Number(cutText(free * 100)), least_percent: minFreeShare * 100 };
  const finding = `${evidence.free_percent} % of the disk is free.`;
  if (free > minFreeShare) return passed(subject, finding, evidence);
  return failed(subject, `${finding} It should be more than ${evidence.least_percent} %.`, { evidence, fix });
}
