import { Agent, request } from 'node:http';
import { connect } from 'node:net';

export interface Answered {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
}

/** Sends a request with exactly these headers, by any method that Node's parser knows: `fetch` refuses some and adds its own. */
export function exchange(origin: string, agent: Agent) {
  return (method: string, path: string, headers: Record<string, string> = {}, body?: string): Promise<Answered> =>
    new Promise((resolve, reject) => {
      const asked = request(origin + path, { method, agent, headers }, (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('error', reject);
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(chunks) }));
      });
      asked.on('error', reject);
      asked.end(body);
    });
}

/** Sends raw bytes, and returns everything received until the server closes the connection. */
export const rawExchange = (origin: string, bytes: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(origin).port), '127.0.0.1', () => socket.write(bytes));
    let got = '';
    socket.on('data', (chunk) => (got += chunk.toString('latin1')));
    socket.on('error', reject);
    socket.on('close', () => resolve(got));
  });

/** A few reused connections, which end with the test. */
export function callerOf(t: { after: (end: () => void) => unknown }, origin: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 8 });
  t.after(() => agent.destroy());
  return exchange(origin, agent);
}
