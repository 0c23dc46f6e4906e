import { isIPv4 } from 'node:net';
import { plural } from '@paddock/contract/plural';
import { machineIdentity, ownAddresses } from '@paddock/network';
import type { Sql } from '../../../../db/connect.ts';
import type { Control, ControlFinding } from '../control.ts';
import type { ControlDeps } from '../control-deps.ts';
import { failed, passed, unverifiedResult } from '../finding.ts';
import { answers, closedTargets, type Dialled, type ProbeTarget, probeSandbox } from './sandbox-probe.ts';

const maxAgents = 5;
const maxDatabases = 500;
const sandboxSubject = { type: 'installation', id: 'sandbox', name: 'Sandbox of agents' };

type Deps = Pick<ControlDeps, 'sql' | 'sandbox' | 'egressAllow' | 'log'>;

/**
 * NET-02: an agent reaches neither this machine, private ranges, other projects' agents nor other processes; databases listen only on the
 * loopback. All teams see the result, so it names no agent or database; the server's log names those at fault.
 */
export function isolationControl({ sql, sandbox, egressAllow, log }: Deps): Control {
  return {
    id: 'NET-02',
    of: 'installation',
    async check(signal) {
      if (!sandbox)
        return unverifiedResult('The sandbox of agents', 'No agents run on this server, so no probe could be started in their sandbox.');
      const agents = await reachable(await loadAgents(sql, machineIdentity()));
      const targets = [...closedTargets(egressAllow), ...agents];
      const probe = await probeSandbox(sandbox, { targets, egressAllow }, signal);
      const reached = probe.dialled.filter(isOpen);
      if (reached.length > 0) log.warn({ reached }, 'agent sandbox reaches forbidden targets');
      const evidence = { isolated: sandbox.isolated, dialled: probe.dialled.map(withoutAgent), processes: probe.processes };
      const databases = await loadDatabases(sql);
      return {
        looked_at: `A probe in the sandbox dialled ${plural(probe.dialled.length, 'address', 'addresses')}, ${plural(agents.length, 'agent')} of other projects among them, and looked at processes; ${plural(databases.length, 'managed database')} dialled at the addresses of this machine`,
        resources: [
          ofNetwork(probe.dialled, evidence),
          ofProcesses(probe.sees_processes, { isolated: sandbox.isolated, processes: probe.processes }),
          await ofDatabases(databases, log),
        ],
      };
    },
  };
}

async function reachable(agents: { project_id: string; host: string; port: number }[]): Promise<ProbeTarget[]> {
  const found = await Promise.all(agents.map(async (one) => ((await answers(one)) ? [one] : [])));
  return found.flat().map(({ project_id, host, port }) => ({ what: `${agentOf} ${project_id}`, host, port }));
}

const agentOf = 'agent of project';
const isOpen = ({ result }: Dialled) => result === 'connected' || result === 'timeout';
const withoutAgent = ({ what, host, port, result }: Dialled): Pick<Dialled, 'what' | 'result'> & Partial<Dialled> =>
  what.startsWith(agentOf) ? { what: 'agent of another project', result } : { what, host, port, result };

function ofNetwork(dialled: Dialled[], evidence: ControlFinding['evidence']): ControlFinding {
  const open = dialled.filter(isOpen).map(withoutAgent);
  if (open.length === 0)
    return passed(
      sandboxSubject,
      `All ${plural(dialled.length, 'address', 'addresses')} were refused before anything left the sandbox.`,
      evidence,
    );
  const shown = open
    .slice(0, 5)
    .map(({ what, host, result }) => `${what} (${host ? `${host}, ` : ''}${result === 'connected' ? 'connected' : 'packets leave'})`);
  return failed(sandboxSubject, `A program in the sandbox of agents reaches what it must not: ${shown.join(', ')}.`, {
    evidence,
    fix: { text: 'Run Paddock without PADDOCK_UNSANDBOXED on a machine where sandboxes work; the log of the start says what is missing.' },
  });
}

function ofProcesses(sees: boolean, evidence: { isolated: boolean; processes: number }): ControlFinding {
  const subject = { ...sandboxSubject, id: 'sandbox-processes' };
  if (!sees && evidence.isolated)
    return passed(subject, `The probe saw ${plural(evidence.processes, 'process', 'processes')}, all its own.`, evidence);
  return failed(subject, 'A program in the sandbox of agents sees the processes of this machine, with their command lines.', {
    evidence,
    fix: { text: 'Run Paddock without PADDOCK_UNSANDBOXED.' },
  });
}

async function ofDatabases(databases: Listening[], log: Deps['log']): Promise<ControlFinding> {
  const subject = { type: 'installation', id: 'databases', name: 'Managed databases' };
  const hosts = ownAddresses().filter((address) => isIPv4(address));
  const looked = await Promise.all(databases.map(async (one) => ({ ...one, at: await answering(hosts, one.port) })));
  const reached = looked.filter(({ at }) => at.length > 0);
  const evidence = { databases: databases.length, reached: reached.length, hosts };
  if (reached.length === 0) return passed(subject, 'None answers at the addresses of this machine: only at its loopback.', evidence);
  log.warn({ reached }, 'managed databases reachable beyond the loopback');
  const at = [...new Set(reached.flatMap((one) => one.at))].join(', ');
  return failed(subject, `${plural(reached.length, 'managed database')} can be reached at ${at} and not only at the loopback.`, {
    evidence,
    fix: {
      text: 'The log of the server names the databases and their ports. Look which program of the machine forwards them, and end it.',
    },
  });
}

async function answering(hosts: string[], port: number): Promise<string[]> {
  const at: string[] = [];
  for (const host of hosts) if (await answers({ host, port })) at.push(host);
  return at;
}

/** A managed database, of any team. */
interface Listening {
  id: string;
  team_id: string;
  type: string;
  port: number;
}

/** Some running agents of this machine, one per project. */
const loadAgents = (sql: Sql, machine: string) => sql<{ project_id: string; host: string; port: number }[]>`
  select distinct on (project_id) project_id, target_host as host, target_port as port
  from routes
  where state = 'active'
    and target_host is not null
    and target_port is not null
    and target_machine = ${machine}
  order by project_id, version desc
  limit ${maxAgents}`;

/** Databases of the whole installation. Those of other machines are not found at this one's addresses. */
const loadDatabases = (sql: Sql) => sql<Listening[]>`
  select id, team_id, type, port
  from databases
  where mode = 'managed'
    and port is not null
    and wanted <> 'deleted'
  order by id
  limit ${maxDatabases}`;
