import type { Protocol } from '@paddock/contract';
import { type Agent, type Answer, ask } from './ask.ts';
import { mcp } from './mcp.ts';
import { listPaths, openapi } from './openapi.ts';
import { a2a, adk, agentcore, eve, langgraph, openai } from './readers.ts';

export interface Recognised {
  protocols: Protocol[];
  /**
   * The part that rejects requests for the agent's own address: its MCP server, or everything, as Django does if its list of hosts lacks
   * the address.
   */
  refusesHost: 'mcp' | 'all' | undefined;
  /** The host under which it accepts them; null if it accepts its own address, or no such host is known. */
  host_header: string | null;
}

interface Told {
  framework: string;
  local_host: string;
}

const unknownPath = '/paddock-asks-for-nothing';
/** Time limit of all questions together. */
const totalMs = 30_000;
const documentBytes = 512 * 1024;
/** Maximum letters stored per agent. */
const maxLetters = 64 * 1024;
/** After this many unanswered questions in a row, the agent is not asked any more. */
const maxSilent = 2;

/**
 * Responses of servers whose list of hosts lacks the requested one: Django and Starlette 400, Vite, Rails and MCP's TypeScript 403, MCP's
 * Python 421.
 */
const refusals = new Set([400, 403, 421]);

/**
 * Detects the protocols of a running agent with one request after the other. Each is a GET, or the start of an MCP session: nothing for
 * which an agent would call a model. `framework` comes from its plan, `local_host` is the host under which it would be called on its own
 * machine. Undefined without any response.
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
  // An agent that responds to every path would take the start of an MCP session for a question, too.
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
  const document = await valueAt('/openapi.json', documentBytes);
  const described = openapi(document);
  const routes = described && listPaths(document);
  // Each question stands in the agent's log as a visit, so an agent that lists its routes is asked for no others. What is mounted into an app
  // is in no list: an A2A card and an MCP server are looked for all the same.
  const valueIfListed = async (path: string) => (routes === undefined || routes.has(path) ? valueAt(path) : undefined);
  const invocation = described?.items.find(({ path, method }) => path === '/invocations' && method === 'POST');
  const found: (Protocol | undefined)[] = [agentcore(await valueIfListed('/ping'), invocation?.example)];
  found.push(openai(await valueIfListed('/v1/models'), described?.items ?? []));
  found.push(a2a(await valueAt('/.well-known/agent-card.json')) ?? a2a(await valueIfListed('/.well-known/agent.json')));
  const ok = await valueIfListed('/ok');
  found.push(ok === undefined ? undefined : langgraph(ok, await valueIfListed('/info')));
  found.push(adk(await valueIfListed('/list-apps')));
  found.push(eve(await valueIfListed('/eve/v1/health')));
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

/** Drops and counts items until the rest fits the storage limit. */
function bound(protocols: Protocol[]): Protocol[] {
  let left = maxLetters;
  return protocols.map(({ items, ...protocol }) => {
    left -= JSON.stringify(protocol).length;
    const kept = items.filter((item) => (left -= JSON.stringify(item).length) >= 0);
    return { ...protocol, items: kept, more: protocol.more + items.length - kept.length };
  });
}
