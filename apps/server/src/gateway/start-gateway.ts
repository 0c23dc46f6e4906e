import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../config.ts';
import type { Log } from '../log.ts';
import { isLiving, ownGateways, type RunningGateway } from './own-gateways.ts';
import { type GatewayProcess, healthOf, spawnGateway, untilAnswers } from './spawn-gateway.ts';

/** One that answers nothing for half a minute hangs for good: the longest request occupies a connection, never the process. */
const lookMs = 5_000;
const silentMs = 10_000;
const silencesMost = 3;
const restartMs = [200, 500, 1000, 2000, 5000, 10_000];
/** One that ran for so long begins with the shortest pause again. */
const steadyMs = 30_000;
/** A gateway lets its requests finish for 30 s. */
const leaveMs = 35_000;

/**
 * Runs the gateway as a process of its own that outlives a kill of this one: visitors notice nothing. The next start brings up its own
 * gateway on the same port first, then lets the old one finish its requests and leave. A gateway that ends is started again for as long as it takes,
 * whatever fails meanwhile; one whose start failed is ended before the next is started.
 */
export async function startGatewayProcess(config: Config, databaseUrl: string, log: Log) {
  const own = ownGateways(config.data_dir);
  const closing = new AbortController();
  let current: GatewayProcess | undefined;
  let before: RunningGateway[] = [];
  let isNoted = false;
  let silences = 0;
  let looking = false;

  async function start(): Promise<GatewayProcess> {
    before = own.living();
    isNoted = false;
    const gateway = spawnGateway(config, databaseUrl, own.mark, log);
    current = gateway;
    try {
      note(gateway);
      await untilAnswers(config, gateway, closing.signal);
    } catch (error) {
      gateway.kill('SIGKILL');
      await gateway.ended;
      throw error;
    }
    // failpoint: gateway-answering
    for (const one of before) letLeave(one);
    return gateway;
  }

  /** Without a note the mark still finds the gateway, so the note may wait until it can be written. */
  function note({ pid }: GatewayProcess) {
    if (isNoted || pid === undefined) return;
    try {
      own.note(pid, before.filter(isLiving));
      isNoted = true;
    } catch (error) {
      log.warn({ err: error, pid }, 'the start of the gateway could not be noted; it is found without the note');
    }
  }

  function letLeave(one: RunningGateway) {
    log.info({ pid: one.pid }, 'the gateway of the run before finishes its requests');
    send(one, 'SIGTERM');
    setTimeout(() => send(one, 'SIGKILL'), leaveMs).unref();
  }

  function send(one: RunningGateway, signal: NodeJS.Signals) {
    try {
      if (isLiving(one)) process.kill(one.pid, signal);
    } catch (error) {
      log.info({ err: error, pid: one.pid }, 'a gateway of a run before had ended by itself');
    }
  }

  async function keep(first: GatewayProcess) {
    let gateway: GatewayProcess | undefined = first;
    let since = performance.now();
    for (let failures = 0; !closing.signal.aborted; failures++) {
      const how = await gateway?.ended;
      if (closing.signal.aborted) return;
      if (gateway && performance.now() - since > steadyMs) failures = 0;
      const wait_ms = restartMs[Math.min(failures, restartMs.length - 1)];
      if (how) log.error({ ...how, wait_ms }, 'the gateway ended; it is started again');
      await sleep(wait_ms, undefined, { signal: closing.signal }).catch(() => 'closing');
      if (closing.signal.aborted) return;
      since = performance.now();
      gateway = await start().catch((error: unknown) => {
        if (!closing.signal.aborted) log.error({ err: error }, 'the gateway could not be started again; tried again');
        return undefined;
      });
    }
  }

  /** The end of a hung one is heard by `keep`, which starts another. */
  async function look() {
    const gateway = current;
    if (looking || closing.signal.aborted || !gateway || gateway.hasEnded()) return;
    looking = true;
    const answers = await healthOf(config, silentMs).finally(() => (looking = false));
    silences = answers === undefined ? silences + 1 : 0;
    if (gateway !== current || closing.signal.aborted || gateway.hasEnded()) return;
    note(gateway);
    if (silences < silencesMost) return;
    silences = 0;
    log.error({ pid: gateway.pid }, 'the gateway answers nothing any more and is ended');
    gateway.kill('SIGKILL');
  }

  const keeping = keep(await start());
  const watch = setInterval(() => void look(), lookMs).unref();
  return {
    /** Lets it finish its requests (30 s at most). */
    async close() {
      closing.abort();
      clearInterval(watch);
      if (current && !current.hasEnded()) {
        current.kill('SIGTERM');
        const kill = setTimeout(() => current?.kill('SIGKILL'), leaveMs);
        await current.ended;
        clearTimeout(kill);
      }
      await keeping;
      own.forget();
    },
  };
}
