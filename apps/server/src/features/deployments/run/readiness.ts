import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Instance, RuntimeDriver } from '@paddock/runtime';
import type { ExpectedKind } from './agent-kind.ts';
import { createIdleDetector } from './idle-detector.ts';

/** A worker is active once it has stayed up this long without listening (decisions, section 4), is at rest, and nothing speaks for a port. */
const workerAfterMs = 5_000;
/** Share of the budget after which a worker by its archive's own words is active although it never rests: some work from their first second. */
const busyShare = 0.5;
/** Most agents rest by then; of the others the log tells that they are waited for. */
const tellBusyAfterMs = 10_000;
/** Poll interval when the agent's address is known in advance. */
const pollMs = 10;
/** Poll interval when its ports have to be looked for. */
const portPollMs = 25;
/** Asking for open ports is expensive, since the kernel goes through a table of the whole machine: pause between two looks at one instance. */
const portScanMs = 100;
/** After each look nobody looks for 8 times as long as it took: all looks together take at most a ninth of the server's time. */
const portScanCooldown = 8;
let nextPortScanAt = 0;
/** Poll interval after 3 seconds: an agent that takes a minute is not made faster by being asked 100 times a second. */
const slowPollMs = 200;
const answerMs = 5_000;
/** As the gateway's own limit for an agent's answer. */
const maxHeadBytes = 64 * 1024;

export type Readiness =
  | { kind: 'web'; host: string; port: number; instance_port: number }
  | { kind: 'worker' }
  | { kind: 'completed' }
  | { kind: 'exited'; exit: NonNullable<Instance['exit']> }
  /** `listening`: ports that were open but did not answer HTTP as they should. */
  | {
      kind: 'timeout';
      listening: number[];
      onlyIpv6Loopback: boolean;
      lastProblem: string | undefined;
      /** Why the agent was expected to listen, where its plan does not say so. */
      because?: string | undefined;
    };

interface ReadinessInput {
  instance_id: string;
  expected: ExpectedKind;
  /** Whether an end with exit code 0 is what it was started for. */
  mayEnd: boolean;
  /** Whole and part cores that it may use. */
  cpus: number;
  /** The manifest's port comes first. */
  port?: number | undefined;
  /** Path that must answer 2xx; without it any HTTP answer will do. */
  health?: string | undefined;
  /** The agent's public address: apps answer the hosts of a list alone, or lead everything else to https. */
  url: string;
  budgetSeconds: number;
  /** Called at most once for each reason, if the agent is silent for as long as a worker, and is waited for all the same. */
  onWait: (wait: Wait) => void;
}
/** `because`: what speaks for a port. Else it is busy, and counts as a worker at the latest after so many seconds. */
export type Wait = { because: string } | { busy_seconds: number };

/** Waits until the instance serves, works or has ended. Everything it opens is bounded by the budget and the signal. */
export async function waitUntilReady(driver: RuntimeDriver, wanted: ReadinessInput, signal: AbortSignal): Promise<Readiness> {
  const { instance_id } = wanted;
  const started = performance.now();
  const elapsed = () => performance.now() - started;
  let lastProblem: string | undefined;
  let ports: number[] = [];
  let onlyIpv6Loopback = false;
  const isWorker = createWorkerCheck(driver, wanted);
  const direct = driver.direct(instance_id);
  const first = direct && (wanted.port ?? direct.port) === direct.port ? direct : undefined;
  let nextLook = 0;
  while (elapsed() < wanted.budgetSeconds * 1000) {
    signal.throwIfAborted();
    const pause = elapsed() < 3000 ? pollMs : slowPollMs;
    const problem = first ? await probe(first, wanted, signal) : refused;
    if (first && problem === undefined) return { kind: 'web', ...first, instance_port: first.port };
    if (performance.now() < nextPortScanAt || (first && elapsed() < nextLook)) {
      await sleep(pause, undefined, { signal });
      continue;
    }
    const begun = elapsed();
    const listening = await driver.listening(instance_id);
    const cost = elapsed() - begun;
    nextLook = elapsed() + Math.max(portScanMs, portScanCooldown * cost);
    nextPortScanAt = performance.now() + portScanCooldown * cost;
    ports = listening.map((one) => one.port);
    onlyIpv6Loopback = ports.length > 0 && listening.every((one) => one.family === 6 && one.loopback_only);
    for (const port of inOrder(ports, wanted.port)) {
      // This port was asked just now, and its answer was not good. Refused may also mean that the agent listens on its loopback only.
      if (port === first?.port && problem !== refused) {
        lastProblem = problem;
        continue;
      }
      const at = await driver.expose(instance_id, port);
      lastProblem = await probe(at, wanted, signal);
      if (lastProblem === undefined) return { kind: 'web', ...at, instance_port: port };
    }
    const instance = await driver.find(instance_id);
    if (!instance || instance.state === 'exited') {
      const exit = instance?.exit ?? { code: null, signal: null, oom: false, disk_full: false, at: new Date().toISOString() };
      return exit.code === 0 && wanted.mayEnd && !ports.length ? { kind: 'completed' } : { kind: 'exited', exit };
    }
    if (await isWorker(elapsed(), ports.length > 0)) return { kind: 'worker' };
    await sleep(first ? pause : Math.max(pause, portPollMs), undefined, { signal });
  }
  const { expected } = wanted;
  // A long job is shown as running, and is completed when it exits with 0. A worker may open ports of its own.
  if (expected.kind === 'job' || expected.kind === 'worker') return { kind: 'worker' };
  if (expected.kind === 'unknown' && !ports.length) return { kind: 'worker' };
  return { kind: 'timeout', listening: ports, onlyIpv6Loopback, lastProblem, because: expected.because };
}

/** Judges an agent that does not listen. Silence makes a worker only of one that is at rest and for whose listening nothing speaks. */
function createWorkerCheck(driver: RuntimeDriver, { instance_id, expected, cpus, budgetSeconds, onWait }: ReadinessInput) {
  const rests = createIdleDetector(driver, instance_id, cpus);
  const told = new Set<string>();
  let hasListened = false;
  return async (elapsed: number, listens: boolean): Promise<boolean> => {
    hasListened ||= listens;
    const isLong = elapsed >= workerAfterMs && !listens;
    if (expected.kind === 'job') return false;
    if (expected.kind === 'worker') return (expected.has_run || (await restsOrWorks(elapsed, budgetSeconds * busyShare))) && isLong;
    const because = expected.because ?? (hasListened ? 'it had a port open' : undefined);
    if (because !== undefined && isLong) tell('port', { because });
    if (expected.kind === 'web' || because !== undefined) return false;
    return (await restsOrWorks(elapsed, budgetSeconds)) && isLong;
  };

  /** Whether it rests, or has been busy for so long that this seems to be its work. */
  async function restsOrWorks(elapsed: number, seconds: number): Promise<boolean> {
    if ((await rests()) || elapsed >= seconds * 1000) return true;
    if (elapsed >= tellBusyAfterMs) tell('busy', { busy_seconds: Math.ceil(seconds) });
    return false;
  }

  function tell(what: string, wait: Wait) {
    if (!told.has(what)) onWait(wait);
    told.add(what);
  }
}

const inOrder = (ports: number[], first: number | undefined) =>
  first !== undefined && ports.includes(first) ? [first, ...ports.filter((port) => port !== first)] : ports;

const refused = 'the port refused the connection';

/** One HTTP request as the gateway would send it; undefined when the answer is good. */
function probe(
  { host, port }: { host: string; port: number },
  { health, url }: Pick<ReadinessInput, 'health' | 'url'>,
  signal: AbortSignal,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    const path = health ?? '/';
    const called = new URL(url);
    const call = request(
      {
        host,
        port,
        path,
        method: 'GET',
        agent: false,
        timeout: answerMs,
        maxHeaderSize: maxHeadBytes,
        headers: {
          host: called.host,
          'user-agent': 'paddock-readiness',
          'x-forwarded-host': called.host,
          'x-forwarded-proto': called.protocol.slice(0, -1),
          connection: 'close',
        },
        signal,
      },
      (answer) => {
        const status = answer.statusCode ?? 0;
        const { location = '' } = answer.headers;
        answer.destroy();
        const isGood = (status >= 200 && status <= 299) || (status >= 300 && status <= 399 && leadsToHttps(location, called));
        resolve(health && !isGood ? `GET ${path} answered ${status}` : undefined);
      },
    );
    call.on('timeout', () => call.destroy(new Error(`GET ${path} did not answer within ${answerMs / 1000} s`)));
    call.on('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'ECONNREFUSED' ? refused : error.message));
    call.end();
  });
}

/** Whether a redirect only asks for https on the same host. */
function leadsToHttps(location: string, called: URL): boolean {
  if (!URL.canParse(location)) return false;
  const { protocol, hostname } = new URL(location);
  return protocol === 'https:' && hostname === called.hostname;
}
