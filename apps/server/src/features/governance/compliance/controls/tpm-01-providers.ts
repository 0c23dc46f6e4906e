import { seenProviderDays as days, type SeenProvider } from '@paddock/contract';
import { plural } from '@paddock/contract/plural';
import { dayMs } from '@paddock/contract/time';
import type { Sql } from '../../../../db/connect.ts';
import type { Control, ControlFinding } from '../control.ts';
import type { ControlDeps } from '../control-deps.ts';
import { failed, passed, unverified } from '../finding.ts';

const maxLive = 2_000;
const path = '/governance?tab=data-governance';

type Deps = Pick<ControlDeps, 'sql' | 'modelProviders' | 'seenProviders' | 'now'>;

/** TPM-01: every model provider that agents called is in the team's register, with an agreement. */
export function providerControl({ sql, modelProviders, seenProviders, now }: Deps): Control {
  return {
    id: 'TPM-01',
    of: 'team',
    async check(team_id) {
      const at = now();
      const since = new Date(at - days * dayMs).toISOString();
      const [seen, silent, register] = await Promise.all([
        seenProviders(team_id, at),
        loadSilentAgents(sql, team_id, since),
        modelProviders(team_id),
      ]);
      return {
        looked_at: `${plural(
          seen.reduce((sum, one) => sum + one.calls, 0),
          'call',
        )} of models by ${plural(seen.length, 'provider or host', 'providers and hosts')} in the traces of the last ${days} days that are still kept, and a register of ${plural(register.length, 'provider')}`,
        absence: `No agent runs, and none called a model in the last ${days} days.`,
        resources: [...seen.map(judge), ...silent.map(withoutTraces)],
      };
    },
  };
}

function judge({ provider, host, calls, last_seen, projects, register: entry }: SeenProvider): ControlFinding {
  const name = [provider, host].filter(Boolean).join(' at ') || 'unnamed';
  const subject = { type: 'model_provider', id: name, name };
  const evidence = { provider, host, calls, last_seen, projects, register: entry };
  const by = `${plural(calls, 'call')} by ${projects.join(', ')}, the last at ${new Date(last_seen).toISOString()}`;
  if (provider === null && host === null)
    return unverified(subject, `Which provider answered is not told by the traces: ${by}.`, {
      evidence,
      fix: { text: 'Let the agent’s instrumentation send gen_ai.provider.name or server.address.', path: '/metrics' },
    });
  if (!entry)
    return failed(subject, `${name} is called and not in the register of model providers: ${by}.`, {
      evidence,
      fix: { text: `Add ${provider ?? host} to the register with its region and agreement, or stop the agents that call it.`, path },
    });
  if (entry.agreement === 'none')
    return failed(subject, `${name} is called and in the register without an agreement: ${by}.`, {
      evidence,
      fix: { text: 'Make a data processing agreement, and note it in the register.', path },
    });
  return passed(
    subject,
    `In the register with a ${entry.agreement.toUpperCase()}${entry.region && `, region ${entry.region}`}: ${by}.`,
    evidence,
  );
}

const withoutTraces = ({ id, name }: { id: string; name: string }): ControlFinding =>
  unverified({ type: 'deployment', id, name }, `${name} sent no traces, so nobody can tell which providers it calls.`, {
    fix: { text: 'Let the agent send traces; the guide to traces says how.', path: `/deployments/${id}` },
  });

/** Running deployments without traces since then. */
const loadSilentAgents = (sql: Sql, team_id: string, since: string) => sql<{ id: string; name: string }[]>`
  select d.id, p.name || ' (' || d.environment || ')' as name
  from deployments d
  join projects p on p.id = d.project_id
  where d.team_id = ${team_id}
    and p.team_id = ${team_id}
    and p.deleting_at is null
    and d.status = 'active'
    and not exists (
      select 1
      from spans s
      where s.deployment_id = d.id
        and s.origin = 'agent'
        and s.started_at > ${since}
    )
  order by d.created_at desc, d.id desc
  limit ${maxLive}`;
