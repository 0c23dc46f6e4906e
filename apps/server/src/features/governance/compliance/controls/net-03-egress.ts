import { plural } from '@paddock/contract/plural';
import { networkList } from '@paddock/network';
import { type HostRule, hostRulesDigest, type StepRunner } from '@paddock/runtime';
import type { Sql } from '../../../../db/connect.ts';
import type { Control, ControlFinding } from '../control.ts';
import type { ControlDeps } from '../control-deps.ts';
import { failed, passed, unverified } from '../finding.ts';
import { probeSandbox } from './sandbox-probe.ts';

/** An agent's node reports every minute which rules its kernel enforces. */
const staleSeconds = 300;
const shownRules = 20;
const maxProjects = 2_000;
const neverAllowed = [
  { what: 'metadata address', host: '169.254.169.254', port: 80 },
  { what: 'link-local address', host: '169.254.1.1', port: 80 },
];
const metadata = { type: 'installation', id: 'link-local', name: 'Link-local and metadata addresses' };
/** Teams checked within this time share one probe. */
const sharedMs = 600_000;
/** Deadline of the shared probe: that of one control. */
const maxProbeMs = 20_000;

type Deps = Pick<ControlDeps, 'sql' | 'sandbox' | 'egressAllow' | 'hostRules' | 'now'>;

/**
 * NET-03: agents of live projects may call only known hosts that a policy names, and none reaches link-local addresses, where cloud
 * providers serve machine credentials.
 */
export function egressControl({ sql, sandbox, egressAllow, hostRules, now }: Deps): Control {
  let last: { at: number; found: Promise<ControlFinding> } | undefined;
  /** The probe has a deadline of its own: checks of several teams wait for it, and the end of one must not end the others. */
  const linkLocal = (): Promise<ControlFinding> => {
    if (!last || now() - last.at > sharedMs) {
      const found = probed(sandbox, egressAllow, AbortSignal.timeout(maxProbeMs));
      last = { at: now(), found };
      found.catch(() => (last = undefined));
    }
    return last.found;
  };
  return {
    id: 'NET-03',
    of: 'team',
    async check(team_id) {
      const [projects, rules] = await Promise.all([loadLiveProjects(sql, team_id), hostRules(team_id)]);
      return {
        looked_at: `${plural(projects.length, 'live project')}, the rules about hosts that the kernels of their machines hold them to, and link-local addresses dialled by a probe in the sandbox`,
        resources: [...projects.map((project) => ofProject(project, rules)), await linkLocal()],
      };
    },
  };
}

function ofProject({ id, name, agents }: LiveProject, rules: readonly HostRule[]): ControlFinding {
  const subject = { type: 'project', id, name };
  const only = rules.filter(({ effect }) => effect === 'only');
  const evidence = {
    rules: rules.slice(0, shownRules).map((rule) => ({ ...rule })),
    agents: agents.slice(0, 50).map((agent) => ({ ...agent })),
  };
  if (only.length === 0)
    return failed(subject, `The agents of ${name} may call every host of the internet.`, {
      fix: {
        text: "Activate a policy with a rule such as 'Allowed hosts: api.example.com', or accept it with a waiver that says which hosts they call.",
        path: '/governance?tab=policies',
      },
    });
  const digest = hostRulesDigest(rules);
  const loose = agents.filter((one) => one.problem !== null || one.rules !== digest || one.age_s === null || one.age_s > staleSeconds);
  if (loose.length === 0)
    return passed(subject, `Every agent of ${name} that runs is held to the allowed hosts, as the kernel of its machine says.`, evidence);
  const why =
    loose.find(({ problem }) => problem !== null)?.problem ?? 'its node did not tell within five minutes that the rules are in force';
  return failed(
    subject,
    `A policy allows some hosts alone, and ${plural(loose.length, 'agent')} of ${name} cannot be shown to be held to it: ${why}`,
    {
      evidence,
      fix: {
        text: 'Look at the log of the server that runs the agent; PADDOCK_UNSANDBOXED has to be off. Then deploy it again.',
        path: `/deployments/${loose[0]!.id}`,
      },
    },
  );
}

async function probed(sandbox: StepRunner | undefined, egressAllow: string[], signal: AbortSignal): Promise<ControlFinding> {
  if (!sandbox) return unverified(metadata, 'No agents run on this server, so no probe could be started in their sandbox.', { fix: null });
  const { dialled } = await probeSandbox(sandbox, { targets: neverAllowed, egressAllow }, signal);
  const opened = networkList(egressAllow);
  const looked = dialled.filter(({ host }) => neverAllowed.some((one) => one.host === host));
  // If an address is opened but nothing listens there, the network refuses just as a sandbox does.
  const open = looked.filter(({ host, result }) => result === 'connected' || result === 'timeout' || opened.has(host));
  const evidence = looked.map((one) => ({ ...one }));
  if (open.length === 0)
    return passed(metadata, 'Link-local addresses, the metadata address among them, are refused in the sandbox.', evidence);
  return failed(
    metadata,
    `Agents can send packets to ${open.map(({ host }) => host).join(' and ')}, where clouds tell machines their secrets.`,
    {
      evidence,
      fix: {
        text: 'Take networks that hold 169.254.0.0/16 out of PADDOCK_EGRESS_ALLOW, and run Paddock without PADDOCK_UNSANDBOXED.',
      },
    },
  );
}

interface LiveProject {
  id: string;
  name: string;
  /** Its running deployments, with the host rules last reported as in force by each one's node. */
  agents: { id: string; rules: string | null; problem: string | null; age_s: number | null }[];
}

const loadLiveProjects = (sql: Sql, team_id: string) => sql<LiveProject[]>`
  select
    p.id, p.name,
    jsonb_agg(
      jsonb_build_object(
        'id', d.id,
        'rules', h.rules,
        'problem', h.problem,
        'age_s', extract(epoch from now() - h.seen_at)::int
      )
      order by d.id
    ) as agents
  from projects p
  join deployments d on d.project_id = p.id
  left join host_holds h on h.deployment_id = d.id
  where p.team_id = ${team_id}
    and p.deleting_at is null
    and d.team_id = ${team_id}
    and d.status = 'active'
  group by p.id, p.name
  order by p.name, p.id
  limit ${maxProjects}`;
