import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { cpuSeconds, program } from '../measure.ts';

interface Load {
  headers?: string[];
  connections?: number;
  /** A Lua file that tells wrk what to send instead of a GET. */
  script?: string;
}

interface Place {
  port: number;
  path: string;
  host: string;
}

/** Loads the port for some seconds; returns requests per CPU second of the processes that serve it. */
export async function requestsPerCpu({ pids, ...place }: Place & { pids: number[] }, seconds: number, load: Load = {}): Promise<number> {
  const before = cpuSeconds(pids);
  const requests = await sendRequests(place, seconds, load);
  return requests / (cpuSeconds(pids) - before);
}

/** Loads the port for some seconds; returns the number of requests, all of which were served. */
export async function sendRequests(
  { port, path, host }: Place,
  seconds: number,
  { headers = [], connections = 32, script }: Load = {},
): Promise<number> {
  const wrk = program('wrk', 'wrk');
  const { stdout } = await promisify(execFile)(
    wrk,
    [
      '-t1',
      `-c${connections}`,
      `-d${seconds}s`,
      ...(script ? ['-s', script] : []),
      ...[`Host: ${host}`, ...headers].flatMap((one) => ['-H', one]),
      `http://127.0.0.1:${port}${path}`,
    ],
    { timeout: (seconds + 20) * 1000 },
  );
  const refused = /Non-2xx or 3xx responses: (\d+)|Socket errors: .*/.exec(stdout);
  if (refused) throw new Error(`the load on ${port} was not served: ${refused[0]}`);
  return Number(/(\d+) requests in/.exec(stdout)?.[1]);
}
