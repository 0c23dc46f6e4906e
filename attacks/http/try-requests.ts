import { tell } from './raw.ts';
import type { recordingAgent } from './recording-agent.ts';
import { beyondNode, type HostileRequest, hostileRequests, smuggled } from './requests.ts';
import type { Row } from './table.ts';

/** Sends every hostile request to a port. With an agent behind it, the agent's record counts as well. */
export async function tryRequests(
  { port, host, path }: { port: number; host: string; path: string },
  agent?: Awaited<ReturnType<typeof recordingAgent>>,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (const attempt of [...hostileRequests(host, path), ...(agent ? beyondNode(host, path) : [])]) rows.push(await tryOne(attempt));
  return rows;

  async function tryOne({ name, bytes, expected }: HostileRequest): Promise<Row> {
    agent?.takeReport();
    const isClear = expected === 'one request';
    // An unambiguous request is sent alone: any other response on its connection belongs to a smuggled request.
    const heard = await tell(port, isClear ? bytes : bytes + smuggled(host), { quietMs: isClear ? 250 : 400 });
    const behind = agent?.takeReport();
    const held = { refused: isRefused, 'not whole': isNotWhole, 'one request': isOne }[expected]();
    const reached = behind
      ? `; agent saw ${behind.whole.length === 0 ? 'nothing whole' : behind.whole.map((line) => line.slice(0, 40)).join(', ')}`
      : '';
    const said = heard.statuses.join(', ') || 'no answer';
    return { attempt: name, expected, got: `${said}${heard.closed ? ', closed' : ', left open'}${reached}`, held };

    function isRefused(): boolean {
      const [status = 0] = heard.statuses;
      // A connection that closes without a response is a refusal too.
      return heard.statuses.length <= 1 && (status === 0 || (status >= 400 && status < 500)) && heard.closed && (behind?.raw ?? '') === '';
    }

    function isNotWhole(): boolean {
      // A gateway that has begun to pass it on cannot take it back, but must not end it as if it were complete.
      return (behind?.whole.length ?? 0) === 0 && heard.statuses.length <= 1 && heard.statuses.every((status) => status >= 400);
    }

    function isOne(): boolean {
      return heard.statuses.length === 1 && (!behind || behind.whole.length === 1) && !(behind?.whole[0] ?? '').includes('smuggled');
    }
  }
}
