import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Instance, RuntimeDriver } from '@paddock/runtime';
import type { ExpectedKind } from './agent-kind.ts';
import { createIdleDetector } from './idle-detector.ts';

/** A worker is active once it has been up this long without listening (decisions, section 4), is idle, and nothing suggests a port. */
const workerAfterMs = 5_000;
/** Share of the budget after which a declared worker is active although it is never idle: some work from their first second. */
const busyShare = 0.5;
/** Most agents are idle by then; for the others the log says that they are being waited for. */
const tellBusyAfterMs = 10_000;
/** Poll interval when the agent's address is known in advance. */
const pollMs = 10;
/** Poll interval when its ports have to be discovered. */
const portPollMs = 25;
/**
 * After each scan, no scan runs for 8 times its duration: all scans together take at most a ninth of the server's time. Where a sandbox has
 * no network of its own, a scan takes milliseconds, since the kernel walks a table of the whole machine.
 */
const portScanCooldown = 8;
let nextPortScanAt = 0;
/** Poll interval after 3 seconds: polling a slow agent 100 times a second does not make it faster. */
const slowPollMs = 200;
const answerMs = 5_000;
/** The same limit as the gateway's for an agent's response head. */
const maxHeadBytes = 64 * 1024;

export type Readiness =
  | { kind: 'web'; host: string; port: number; instance_port: number }
  | { kind: 'worker' }
  | { kind: 'completed' }
  | { kind: 'exited'; exit: NonNullable<Instance['exit']> }
  /** `listening`: ports that were open but gave no acceptable HTTP response. */
  | {
      kind: 'timeout';
      listening: number[];
      onlyIpv6Loopback: boolean;
      lastProblem: string | undefined;
      /** Why the agent was expected to listen, if its plan does not require it. */
      because?: string | undefined;
    };

interface ReadinessInput {
  instance_id: string;
  expected: ExpectedKind;
  /** Whether an exit with code 0 is the intended end. */
  mayEnd: boolean;
  /** CPU limit in cores, possibly fractional. */
  cpus: number;
  /** The manifest's port, checked first. */
  port?: number | undefined;
  /** Path that must respond with 2xx; without it any HTTP response is enough. */
  health?: string | undefined;
  /** The agent's public address: some apps accept only listed hosts, or redirect everything else to https. */
  url: string;
  budgetSeconds: number;
  /** Called at most once per reason, if the agent is as silent as a worker but is still being waited for. */
  onWait: (wait: Wait) => void;
}
/** `because`: evidence for a port. Otherwise the agent is busy, and counts as a worker after this many seconds at the latest. */
export type Wait = { because: string } | { busy_seconds: number };

/** Waits until the instance serves, works or has ended. The budget and the signal bound everything it opens. */
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
    nextLook = elapsed() + Math.max(portPollMs, portScanCooldown * cost);
    nextPortScanAt = performance.now() + portScanCooldown * cost;
    ports = listening.map((one) => one.port);
    onlyIpv6Loopback = ports.length > 0 && listening.every((one) => one.family === 6 && one.loopback_only);
    for (const port of inOrder(ports, wanted.port)) {
      // This port was just probed without success. A refused connection may also mean that the agent listens only on its loopback.
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
  // A long job is shown as running, and completes when it exits with 0. A worker may open its own ports.
  if (expected.kind === 'job' || expected.kind === 'worker') return { kind: 'worker' };
  if (expected.kind === 'unknown' && !ports.length) return { kind: 'worker' };
  return { kind: 'timeout', listening: ports, onlyIpv6Loopback, lastProblem, because: expected.because };
}

/** Decides whether a non-listening agent is a worker: only if it is idle and nothing suggests that it will listen. */
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

  /** Whether the agent is idle, or has been busy for so long that this seems to be its work. */
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

/** Sends an HTTP request as the gateway would; returns undefined if the response is good, else the problem. */
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

/** Whether a redirect only leads to https on the same host. */
function leadsToHttps(location: string, called: URL): boolean {
  if (!URL.canParse(location)) return false;
  const { protocol, hostname } = new URL(location);
  return protocol === 'https:' && hostname === called.hostname;
}
