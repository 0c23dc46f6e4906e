import type { Protocol } from '@paddock/contract';
import { type Agent, type Answer, ask } from './ask.ts';
import { mcp } from './mcp.ts';
import { openapi } from './openapi.ts';
import { a2a, adk, agentcore, eve, langgraph, openai } from './readers.ts';

export interface Recognised {
  protocols: Protocol[];
  /** Who takes no requests under the agent's own address: its MCP server, or all of it, as Django does whose list of hosts lacks the address. */
  refusesHost: 'mcp' | 'all' | undefined;
  /** The host under which it takes them all the same; null where it takes its own address, or none that is known. */
  host_header: string | null;
}

interface Told {
  framework: string;
  local_host: string;
}

const unknownPath = '/paddock-asks-for-nothing';
/** All questions together. */
const totalMs = 30_000;
const documentBytes = 512 * 1024;
/** What is stored of one agent. */
const maxLetters = 64 * 1024;
/** So many questions without any answer, and the agent is left alone. */
const maxSilent = 2;

/** What servers answer whose list of hosts lacks the one that was asked: Django and Starlette 400, Vite, Rails and MCP's TypeScript 403, MCP's Python 421. */
const refusals = new Set([400, 403, 421]);

/**
 * Asks a running agent what it speaks, one question after the other. Each is a GET, or the beginning of an MCP session: nothing that an agent would
 * ask a model for. `framework` is what its plan says, `local_host` the host under which it would be asked on its own machine. Undefined when nothing
 * answered at all.
 */
export async function recognise(own: Agent, { framework, local_host }: Told, signal: AbortSignal): Promise<Recognised | undefined> {
  let agent = own;
  const bounded = AbortSignal.any([signal, AbortSignal.timeout(totalMs)]);
  let answers = 0;
  let silent = 0;
  const get = async (path: string, maxBytes?: number): Promise<Answer | undefined> => {
    if (silent >= maxSilent || bounded.aborted) return undefined;
    const answer = await ask(agent, { path, ...(maxBytes ? { maxBytes } : {}) }, bounded).catch(() => undefined);
    if (answer) answers += 1;
    silent = answer ? 0 : silent + 1;
    return answer && answer.status >= 200 && answer.status < 300
      ? answer
      : { status: answer?.status ?? 0, header: () => '', value: undefined };
  };
  const valueAt = async (path: string, maxBytes?: number) => (await get(path, maxBytes))?.value;

  const local = { ...own, host_header: local_host };
  // An agent that answers whatever it is asked would take the beginning of an MCP session for a question, too.
  let unknown = await get(unknownPath);
  let refusesHost: Recognised['refusesHost'];
  if (unknown && refusals.has(unknown.status)) {
    agent = local;
    const answer = await get(unknownPath);
    if (answer && answer.status > 0 && !refusals.has(answer.status)) {
      refusesHost = 'all';
      unknown = answer;
    } else agent = own;
  }
  const described = openapi(await valueAt('/openapi.json', documentBytes));
  const invocation = described?.items.find(({ path, method }) => path === '/invocations' && method === 'POST');
  const found: (Protocol | undefined)[] = [agentcore(await valueAt('/ping'), invocation?.example)];
  found.push(openai(await valueAt('/v1/models'), described?.items ?? []));
  found.push(a2a(await valueAt('/.well-known/agent-card.json')) ?? a2a(await valueAt('/.well-known/agent.json')));
  const ok = await valueAt('/ok');
  found.push(ok === undefined ? undefined : langgraph(ok, await valueAt('/info')));
  found.push(adk(await valueAt('/list-apps')));
  found.push(eve(await valueAt('/eve/v1/health')));
  const mayAsk = silent < maxSilent && (unknown?.status === 404 || framework.toLowerCase().includes('mcp'));
  const askMcp = () => mcp(agent, bounded).catch(() => undefined);
  let asked = mayAsk ? await askMcp() : undefined;
  if (asked?.answer) answers += 1;
  if (agent === own && asked?.answer && refusals.has(asked.answer.status)) {
    agent = local;
    const again = await askMcp();
    if (again?.protocol) [asked, refusesHost] = [again, 'mcp'];
    else agent = own;
  }
  found.push(asked?.protocol, described);
  signal.throwIfAborted();
  if (answers === 0) return undefined;
  return {
    protocols: bound(found.filter((each) => each !== undefined)),
    refusesHost: refusesHost ?? stillRefused(asked?.answer?.status, framework === 'Django' ? unknown?.status : undefined),
    host_header: agent === local ? local_host : null,
  };
}

const stillRefused = (mcpStatus: number | undefined, djangoStatus: number | undefined): Recognised['refusesHost'] => {
  if (mcpStatus === 421) return 'mcp';
  return djangoStatus === 400 ? 'all' : undefined;
};

/** Items are left out, and counted, until the rest can be stored. */
function bound(protocols: Protocol[]): Protocol[] {
  let left = maxLetters;
  return protocols.map(({ items, ...protocol }) => {
    left -= JSON.stringify(protocol).length;
    const kept = items.filter((item) => (left -= JSON.stringify(item).length) >= 0);
    return { ...protocol, items: kept, more: protocol.more + items.length - kept.length };
  });
}
