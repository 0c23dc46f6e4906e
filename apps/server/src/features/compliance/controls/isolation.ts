import { isIPv4 } from 'node:net';
import { machineIdentity, ownAddresses } from '@paddock/network';
import type { StepRunner } from '@paddock/runtime';
import type { Sql } from '../../../db/connect.ts';
import { type Control, type Found, unverified } from '../control.ts';
import { counted, failed, passed } from './found.ts';
import { isolationStore } from './isolation-store.ts';
import { answers, closedTargets, type Dialled, type ProbeTarget, probeSandbox } from './sandbox-probe.ts';

export interface IsolationParts {
  sql: Sql;
  /** Runs a program in the same sandbox as agents; undefined where this server runs none. */
  sandbox: StepRunner | undefined;
  /** PADDOCK_EGRESS_ALLOW. */
  egressAllow: string[];
}

const sandboxThing = { type: 'installation', id: 'sandbox', name: 'Sandbox of agents' };
const help = (text: string) => ({ text, path: null });

/** NET-02: an agent reaches neither this machine, nor private ranges, nor other projects' agents, nor other processes; databases listen on the loopback. */
export function isolationControl({ sql, sandbox, egressAllow }: IsolationParts): Control {
  const store = isolationStore(sql);
  return {
    id: 'NET-02',
    of: 'installation',
    async check(signal) {
      if (!sandbox)
        return unverified('The sandbox of agents', 'No agents run on this server, so no probe could be started in their sandbox.');
      const agents = await reachable(await store.agents(machineIdentity()));
      const targets = [...closedTargets(egressAllow), ...agents];
      const probe = await probeSandbox(sandbox, { targets, egressAllow }, signal);
      const evidence = { isolated: sandbox.isolated, dialled: probe.dialled.map((one) => ({ ...one })), processes: probe.processes };
      const databases = await store.databases();
      return {
        looked_at: `A probe in the sandbox dialled ${counted(probe.dialled.length, 'address', 'addresses')}, ${counted(agents.length, 'agent')} of other projects among them, and looked at processes; ${counted(databases.length, 'managed database')} dialled at the addresses of this machine`,
        resources: [
          ofNetwork(probe.dialled, evidence),
          ofProcesses(probe.sees_processes, { isolated: sandbox.isolated, processes: probe.processes }),
          ...(await Promise.all(databases.map(ofDatabase))),
        ],
      };
    },
  };
}

/** Whose agents they are is no matter of the teams that read this. */
async function reachable(agents: { project_id: string; host: string; port: number }[]): Promise<ProbeTarget[]> {
  const found = await Promise.all(agents.map(async (one) => ((await answers(one)) ? [one] : [])));
  return found.flat().map(({ host, port }) => ({ what: 'agent of another project', host, port }));
}

function ofNetwork(dialled: Dialled[], evidence: Found['evidence']): Found {
  const open = dialled.filter(({ result }) => result === 'connected' || result === 'timeout');
  if (open.length === 0)
    return passed(
      sandboxThing,
      `All ${counted(dialled.length, 'address', 'addresses')} were refused before anything left the sandbox.`,
      evidence,
    );
  const shown = open
    .slice(0, 5)
    .map(({ what, host, result }) => `${what} (${host}, ${result === 'connected' ? 'connected' : 'packets leave'})`);
  return failed(sandboxThing, `A program in the sandbox of agents reaches what it must not: ${shown.join(', ')}.`, {
    evidence,
    fix: help('Run Paddock without PADDOCK_UNSANDBOXED on a machine where sandboxes work; the log of the start says what is missing.'),
  });
}

function ofProcesses(sees: boolean, evidence: { isolated: boolean; processes: number }): Found {
  const thing = { ...sandboxThing, id: 'sandbox-processes' };
  if (!sees && evidence.isolated)
    return passed(thing, `The probe saw ${counted(evidence.processes, 'process', 'processes')}, all its own.`, evidence);
  return failed(thing, 'A program in the sandbox of agents sees the processes of this machine, with their command lines.', {
    evidence,
    fix: help('Run Paddock without PADDOCK_UNSANDBOXED.'),
  });
}

async function ofDatabase({ id, type, port }: { id: string; type: string; port: number }): Promise<Found> {
  const thing = { type: 'database', id, name: `${type} at port ${port}` };
  const hosts = ownAddresses().filter((address) => isIPv4(address));
  const reached: string[] = [];
  for (const host of hosts) if (await answers({ host, port })) reached.push(host);
  if (reached.length === 0)
    return passed(thing, 'It does not answer at the addresses of this machine, only at its loopback.', { port, hosts });
  return failed(thing, `The managed ${type} answers at ${reached.join(', ')} and not only at the loopback.`, {
    evidence: { port, reached },
    fix: help('Look which program forwards this port on the machine, and end it.'),
  });
}
