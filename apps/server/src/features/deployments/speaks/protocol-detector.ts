import type { Instance, RuntimeDriver } from '@paddock/runtime';
import type { AgentUrl } from '../../../config/config.ts';
import { deploymentLabel } from '../../../labels/host-labels.ts';
import type { Log } from '../../../log.ts';
import type { DeploymentLog } from '../run/worker-deps.ts';
import type { SupervisedDeployment } from '../supervised.ts';
import type { Question } from './ask.ts';
import type { ProtocolsStore } from './protocols-store.ts';
import { recognise } from './recognise.ts';

/** Concurrent detections. A slow agent takes half a minute, so one team's slow agents must not block the others. */
const atOnce = 8;
const atOncePerTeam = 2;
/** Attempts for an agent without any response, and the delay between them. */
const maxTries = 3;
const againMs = 60_000;
/** The exit of a process is recorded a little later than its connections break. */
const notedMs = 1_000;

interface Deps {
  driver: Pick<RuntimeDriver, 'expose'>;
  protocols: ProtocolsStore;
  agentUrl: AgentUrl;
  openLog: (d: Pick<SupervisedDeployment, 'id' | 'team_id'>) => DeploymentLog;
  log: Log;
}
interface Asked {
  tries: number;
  /** Infinite after a response. */
  nextMs: number;
  /** Questions that are unanswered or in progress. */
  open: Question[];
}
type Web = SupervisedDeployment & { instance_id: string; instance_port: number };

/**
 * Detects the protocols of each listening agent on this node, once per start. Requests go to the agent directly, so they do not count as
 * visits.
 */
export function createProtocolDetector({ driver, protocols, agentUrl, openLog, log }: Deps) {
  const closing = new AbortController();
  const asked = new Map<string, Asked>();
  const under = new Map<string, { team_id: string; done: Promise<void> }>();

  async function one(d: Web, { open }: Asked): Promise<boolean> {
    const row = await protocols.unasked(d.team_id, d);
    if (!row) return true;
    const at = await driver.expose(d.instance_id, d.instance_port);
    const agent = { ...at, url: agentUrl(deploymentLabel(row.subdomain, d.id)), open };
    const local_host = `localhost:${d.instance_port}`;
    const found = await recognise(agent, { framework: row.framework, local_host }, closing.signal);
    if (!found) return false;
    const { refusesHost, host_header } = found;
    await protocols.keep(d.team_id, { id: d.id, instance_id: d.instance_id, protocols: found.protocols, host_header });
    if (refusesHost) {
      const out = openLog(d);
      out.write('platform', 'warning', host_header ? told(refusesHost, host_header) : refusals[refusesHost]);
      await out.flush();
    }
    return true;
  }

  function begin(d: Web) {
    const state = asked.get(d.instance_id) ?? { tries: 0, nextMs: 0, open: [] };
    state.tries += 1;
    asked.set(d.instance_id, state);
    const done = one(d, state)
      .catch((error: unknown) => {
        if (!closing.signal.aborted) log.warn({ err: error, deployment: d.id }, 'protocol detection of an agent failed');
        return false;
      })
      .then((isOver) => {
        state.nextMs = isOver || state.tries === maxTries ? Number.POSITIVE_INFINITY : performance.now() + againMs;
        under.delete(d.instance_id);
      });
    under.set(d.instance_id, { team_id: d.team_id, done });
  }

  return {
    /** Starts due detections, without blocking the caller. */
    look(live: readonly SupervisedDeployment[], seen: ReadonlyMap<string, Instance>): void {
      for (const id of asked.keys()) if (!seen.has(id)) asked.delete(id);
      for (const d of live) {
        if (under.size >= atOnce) return;
        if (!isWeb(d) || seen.get(d.instance_id)?.state !== 'running' || under.has(d.instance_id)) continue;
        if ((asked.get(d.instance_id)?.nextMs ?? 0) > performance.now()) continue;
        const ofTeam = [...under.values()].filter(({ team_id }) => team_id === d.team_id);
        if (ofTeam.length < atOncePerTeam) begin(d);
      }
    },
    /**
     * Whether an agent exited during a question without answering it. It is not asked again: an agent that Paddock's question brings down
     * may serve its visitors well. A visitor may have ended it at that moment, so the caller still counts the exit as a crash, unless the
     * deployment would fail by it.
     */
    async endedWhileAsked({ id, team_id, instance_id }: SupervisedDeployment, exit: Instance['exit']): Promise<boolean> {
      const { open = [] } = asked.get(instance_id ?? '') ?? {};
      const atMs = Date.parse(exit?.at ?? '');
      if (instance_id === null || !open.some(({ from, to }) => from <= atMs && atMs <= to + notedMs)) return false;
      open.length = 0;
      await protocols.leaveAlone(team_id, { id, instance_id });
      const out = openLog({ id, team_id });
      out.write('platform', 'warning', endedWhileAsked);
      await out.flush();
      return true;
    },
    async over(): Promise<void> {
      closing.abort();
      await Promise.all([...under.values()].map(({ done }) => done));
    },
  };
}

const isWeb = (d: SupervisedDeployment): d is Web =>
  d.status === 'active' && d.agent_type === 'web' && !d.restart_at && d.instance_id !== null && d.instance_port !== null;

const endedWhileAsked =
  'The agent ended while Paddock asked what it speaks, by GET requests to paths that it may not know; it is not asked any more. A visitor of such a path may end it, too.';

const refusals = {
  mcp: 'The MCP server at /mcp refuses requests under the address of this agent (status 421). Let it listen on 0.0.0.0, or name the address among its allowed hosts.',
  all: 'Django refuses every request under the address of this agent (status 400): add its host, or its domain with a dot before it, to ALLOWED_HOSTS in the settings, and deploy again.',
};
const who = { mcp: 'The MCP server', all: 'The agent' };
const told = (refuses: 'mcp' | 'all', host: string) =>
  `${who[refuses]} refuses requests under the address of this agent, and takes those for ${host}: it is told that Host now, and in X-Forwarded-Host the one that visitors ask for. To have it told theirs, name the address among its allowed hosts and deploy again.`;
