import { networkList } from '@paddock/network';
import type { StepRunner } from '@paddock/runtime';
import type { Sql } from '../../../db/connect.ts';
import type { Control, Found } from '../control.ts';
import { egressStore } from './egress-store.ts';
import { counted, failed, passed, unclear } from './found.ts';
import { probeSandbox } from './sandbox-probe.ts';

export interface EgressParts {
  sql: Sql;
  sandbox: StepRunner | undefined;
  egressAllow: string[];
  now: () => number;
}

const neverAllowed = [
  { what: 'metadata address', host: '169.254.169.254', port: 80 },
  { what: 'link-local address', host: '169.254.1.1', port: 80 },
];
const metadata = { type: 'installation', id: 'link-local', name: 'Link-local and metadata addresses' };
/** Teams that are checked one after the other share one probe. */
const sharedMs = 600_000;

/** NET-03: agents of live projects may call only hosts that are known, which somebody has to answer for, and none reaches link-local addresses, where clouds tell machines their secrets. */
export function egressControl({ sql, sandbox, egressAllow, now }: EgressParts): Control {
  const store = egressStore(sql);
  let last: { at: number; found: Promise<Found> } | undefined;
  const linkLocal = (signal: AbortSignal): Promise<Found> => {
    if (!last || now() - last.at > sharedMs) {
      const found = probed(sandbox, egressAllow, signal);
      last = { at: now(), found };
      found.catch(() => (last = undefined));
    }
    return last.found;
  };
  return {
    id: 'NET-03',
    of: 'team',
    async check(team_id, signal) {
      const projects = await store.live(team_id);
      return {
        looked_at: `${counted(projects.length, 'live project')}, and link-local addresses dialled by a probe in the sandbox`,
        resources: [...projects.map(ofProject), await linkLocal(signal)],
      };
    },
  };
}

/** The sandbox opens networks by address and knows no names, so there is no list of hosts that a project could have. */
const ofProject = ({ id, name }: { id: string; name: string }): Found =>
  failed({ type: 'project', id, name }, `The agents of ${name} may call every host of the internet.`, {
    fix: {
      text: 'Agents cannot be held to a list of hosts here. Accept it with a waiver that says which hosts they call, and look at their model providers.',
      path: '/governance',
    },
  });

async function probed(sandbox: StepRunner | undefined, egressAllow: string[], signal: AbortSignal): Promise<Found> {
  if (!sandbox) return unclear(metadata, 'No agents run on this server, so no probe could be started in their sandbox.', { fix: null });
  const { dialled } = await probeSandbox(sandbox, { targets: neverAllowed, egressAllow }, signal);
  const opened = networkList(egressAllow);
  const looked = dialled.filter(({ host }) => neverAllowed.some((one) => one.host === host));
  // Where an address is opened and nobody is there, the network refuses as a sandbox does.
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
        path: null,
      },
    },
  );
}
