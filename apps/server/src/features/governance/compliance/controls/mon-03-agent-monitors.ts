import { statfs } from 'node:fs/promises';
import { type AlertRuleName, alertRules } from '@paddock/contract';
import { cutText } from '@paddock/contract/figures';
import { plural } from '@paddock/contract/plural';
import type { Sql } from '../../../../db/connect.ts';
import type { Control, ControlFinding } from '../control.ts';
import type { ControlDeps } from '../control-deps.ts';
import { agoText, failed, passed, type Subject, unverified, within } from '../finding.ts';

const freshMs = 5 * 60_000;
const maxAgents = 2_000;

type Deps = Pick<ControlDeps, 'sql' | 'dataDir'> & {
  /** Blocks of the disk below a folder. */
  disk?: (folder: string) => Promise<{ blocks: number; bavail: number }>;
};

/** Rules without which nobody is notified that an agent fails. */
const wanted: readonly AlertRuleName[] = ['error_rate', 'agent_down', 'out_of_memory'];
const minFreeShare = 0.2;

/** MON-03: every agent in production is sampled, its rules are on, and a fifth of the disk is free. */
export function agentMonitorControl({ sql, dataDir, disk = statfs }: Deps): Control {
  return {
    id: 'MON-03',
    of: 'team',
    async check(team_id) {
      const agents = await loadAgents(sql, team_id);
      const switched = await loadSwitchedRules(sql, team_id, wanted);
      const isOn = (project_id: string, rule: AlertRuleName) =>
        switched.find((one) => one.project_id === project_id && one.rule === rule)?.is_on ?? alertRules[rule].isOn;
      const resources = agents.map((agent) =>
        watched(
          agent,
          wanted.filter((rule) => !isOn(agent.project_id, rule)),
        ),
      );
      return {
        looked_at: `${plural(agents.length, 'agent')} in production with its last figures and its alert rules, and the free space of the data directory.`,
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

/** An agent that serves production. */
interface LiveAgent {
  deployment_id: string;
  project_id: string;
  name: string;
  deployed_at: string | null;
  /** The last minute with a sample from its node. */
  sampled_at: string | null;
  now: string;
}
interface Switched {
  project_id: string;
  rule: AlertRuleName;
  is_on: boolean;
}

const loadAgents = (sql: Sql, team_id: string) => sql<LiveAgent[]>`
  select d.id as deployment_id, d.project_id, p.name, d.deployed_at, u.at as sampled_at, now() as now
  from deployments d
  join projects p on p.id = d.project_id
  left join lateral (
    select m.at
    from usage_minutes m
    where m.deployment_id = d.id
    order by m.at desc
    limit 1
  ) u on true
  where d.team_id = ${team_id}
    and d.environment = 'production'
    and d.is_current
    and d.status = 'active'
    and p.deleting_at is null
  order by p.name, d.id
  limit ${maxAgents}`;

/** The alert rules that the team switched on or off. */
const loadSwitchedRules = (sql: Sql, team_id: string, rules: readonly AlertRuleName[]) => sql<Switched[]>`
  select project_id, rule, is_on
  from alert_rules
  where team_id = ${team_id}
    and rule = any(${rules as string[]})`;
