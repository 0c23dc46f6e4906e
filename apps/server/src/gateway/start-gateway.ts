import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../config.ts';
import type { Log } from '../log.ts';
import { isLiving, ownGateways, type RunningGateway } from './own-gateways.ts';
import { type GatewayProcess, healthOf, spawnGateway, untilAnswers } from './spawn-gateway.ts';

/** A gateway that answers nothing for half a minute hangs for good: the longest request occupies a connection, never the process. */
const lookMs = 5_000;
const silentMs = 10_000;
const maxSilences = 3;
const restartPausesMs = [200, 500, 1000, 2000, 5000, 10_000];
/** After a run of this time the pauses before a restart begin with the shortest again. */
const steadyMs = 30_000;
/** A gateway lets its requests finish for 30 s. */
const leaveMs = 35_000;

/**
 * Runs the gateway as a process of its own that outlives a kill of this one: visitors notice nothing. The next start brings up its own
 * gateway on the same port first, then lets the old one finish its requests and leave. A gateway that ends is started again for as long as it takes,
 * whatever fails meanwhile; a gateway whose start failed is ended before the next is started.
 */
export function startGatewayProcess(config: Config, given: { databaseUrl: string; auditTokenKey: Buffer }, log: Log) {
  const own = ownGateways(config.dataDir);
  const earlier = earlierGateways(own, log);
  const closing = new AbortController();
  let current: GatewayProcess | undefined;
  let silences = 0;
  let looking = false;

  async function start(): Promise<GatewayProcess> {
    earlier.find();
    const gateway = spawnGateway({ config, ...given, mark: own.mark, predecessors: earlier.pids(), log });
    current = gateway;
    try {
      earlier.note(gateway);
      await untilAnswers(config, gateway, closing.signal);
    } catch (error) {
      gateway.kill('SIGKILL');
      await gateway.ended;
      throw error;
    }
    // failpoint: gateway-answering
    return gateway;
  }

  async function keep(first: GatewayProcess) {
    let gateway: GatewayProcess | undefined = first;
    let since = performance.now();
    for (let failures = 0; !closing.signal.aborted; failures++) {
      const how = await gateway?.ended;
      if (closing.signal.aborted) return;
      if (gateway && performance.now() - since > steadyMs) failures = 0;
      const waitMs = restartPausesMs[Math.min(failures, restartPausesMs.length - 1)];
      if (how) log.error({ ...how, wait_ms: waitMs }, 'the gateway ended; it is started again');
      await sleep(waitMs, undefined, { signal: closing.signal }).catch(() => 'closing');
      if (closing.signal.aborted) return;
      since = performance.now();
      gateway = await start().catch((error: unknown) => {
        if (!closing.signal.aborted) log.error({ err: error }, 'the gateway could not be started again; tried again');
        return undefined;
      });
      if (gateway) earlier.letLeave();
    }
  }

  /** Ends a gateway that hangs; `keep` hears of its end and starts another. */
  async function look() {
    const gateway = current;
    if (looking || closing.signal.aborted || !gateway || gateway.hasEnded()) return;
    looking = true;
    const answers = await healthOf(config, silentMs).finally(() => (looking = false));
    silences = answers === undefined ? silences + 1 : 0;
    if (gateway !== current || closing.signal.aborted || gateway.hasEnded()) return;
    earlier.note(gateway);
    if (silences < maxSilences) return;
    silences = 0;
    log.error({ pid: gateway.pid }, 'the gateway answers nothing any more and is ended');
    gateway.kill('SIGKILL');
  }

  const first = start();
  first.catch(() => undefined); // told to whoever waits for it
  let keeping: Promise<void> | undefined;
  let watch: NodeJS.Timeout | undefined;
  return {
    /** Resolves when the gateway answers and the one of the run before was told to leave. Rejects if it cannot be started. */
    async takeOver() {
      const gateway = await first;
      earlier.letLeave();
      keeping = keep(gateway);
      watch = setInterval(() => void look(), lookMs).unref();
    },

    /** Lets the gateway finish its requests (30 s at most). */
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
      // Where the server could not start, those of the run before go on, and the note is theirs.
      if (keeping) own.forget();
    },
  };
}

/** The gateways of the runs before. They are noted until they have ended, and leave once the new gateway answers. */
function earlierGateways(own: ReturnType<typeof ownGateways>, log: Log) {
  let before: RunningGateway[] = [];
  let isNoted = false;

  function send(gateway: RunningGateway, signal: NodeJS.Signals) {
    try {
      if (isLiving(gateway)) process.kill(gateway.pid, signal);
    } catch (error) {
      log.info({ err: error, pid: gateway.pid }, 'a gateway of a run before had ended by itself');
    }
  }

  return {
    find() {
      before = own.living();
      isNoted = false;
    },

    pids: () => before.map(({ pid }) => pid),

    /** Notes the new gateway beside those before. Without a note its mark still finds it, so that the note may wait until it can be written. */
    note({ pid }: GatewayProcess) {
      if (isNoted || pid === undefined) return;
      try {
        own.note(pid, before.filter(isLiving));
        isNoted = true;
      } catch (error) {
        log.warn({ err: error, pid }, 'the start of the gateway could not be noted; it is found without the note');
      }
    },

    letLeave() {
      for (const gateway of before) {
        log.info({ pid: gateway.pid }, 'the gateway of the run before finishes its requests');
        send(gateway, 'SIGTERM');
        setTimeout(() => send(gateway, 'SIGKILL'), leaveMs).unref();
      }
    },
  };
}
