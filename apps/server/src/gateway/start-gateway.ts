import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../config/config.ts';
import type { Log } from '../log.ts';
import { isLiving, ownGateways, type RunningGateway } from './own-gateways.ts';
import { checkHealth, type GatewayProcess, spawnGateway, untilAnswers } from './spawn-gateway.ts';

/** A gateway that does not answer for half a minute hangs: even the longest request occupies a connection, never the process. */
const lookMs = 5_000;
const silentMs = 10_000;
const maxSilences = 3;
const restartPausesMs = [200, 500, 1000, 2000, 5000, 10_000];
/** A run of this length resets the pause before a restart. */
const steadyMs = 30_000;
/** A gateway lets its requests finish for 30 s. */
const leaveMs = 35_000;

/**
 * Runs the gateway as a separate process that outlives a kill of this one, so that visitors notice nothing. The next start first brings up its own
 * gateway on the same port, then lets the old one drain and exit. A gateway that exits is restarted without a limit of attempts; a gateway whose
 * start failed is ended before the next is started.
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
      if (how) log.error({ ...how, wait_ms: waitMs }, 'gateway exited; restarting');
      await sleep(waitMs, undefined, { signal: closing.signal }).catch(() => 'closing');
      if (closing.signal.aborted) return;
      since = performance.now();
      gateway = await start().catch((error: unknown) => {
        if (!closing.signal.aborted) log.error({ err: error }, 'restarting the gateway failed; retrying');
        return undefined;
      });
      if (gateway) earlier.letLeave();
    }
  }

  /** Ends a gateway that hangs; `keep` then starts another. */
  async function look() {
    const gateway = current;
    if (looking || closing.signal.aborted || !gateway || gateway.hasEnded()) return;
    looking = true;
    const answers = await checkHealth(config, silentMs).finally(() => (looking = false));
    silences = answers === undefined ? silences + 1 : 0;
    if (gateway !== current || closing.signal.aborted || gateway.hasEnded()) return;
    earlier.note(gateway);
    if (silences < maxSilences) return;
    silences = 0;
    log.error({ pid: gateway.pid }, 'gateway unresponsive; killing it');
    gateway.kill('SIGKILL');
  }

  const first = start();
  first.catch(() => undefined); // reported by `takeOver`
  let keeping: Promise<void> | undefined;
  let watch: NodeJS.Timeout | undefined;
  return {
    /** Resolves when the gateway answers and the previous one has been asked to exit. Rejects if it cannot be started. */
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
      // If the server could not start, earlier gateways keep running, and the note is about them.
      if (keeping) own.forget();
    },
  };
}

/** Gateways of earlier runs. They stay in the note until they have exited, and are asked to exit once the new gateway answers. */
function earlierGateways(own: ReturnType<typeof ownGateways>, log: Log) {
  let before: RunningGateway[] = [];
  let isNoted = false;

  function send(gateway: RunningGateway, signal: NodeJS.Signals) {
    try {
      if (isLiving(gateway)) process.kill(gateway.pid, signal);
    } catch (error) {
      log.info({ err: error, pid: gateway.pid }, 'gateway of an earlier run had already exited');
    }
  }

  return {
    find() {
      before = own.living();
      isNoted = false;
    },

    pids: () => before.map(({ pid }) => pid),

    /** Adds the new gateway to the note. Its mark finds it without the note, so a failed write is retried later. */
    note({ pid }: GatewayProcess) {
      if (isNoted || pid === undefined) return;
      try {
        own.note(pid, before.filter(isLiving));
        isNoted = true;
      } catch (error) {
        log.warn({ err: error, pid }, 'writing gateway.json failed; the gateway is found by its mark');
      }
    },

    letLeave() {
      for (const gateway of before) {
        log.info({ pid: gateway.pid }, 'gateway of the previous run is draining');
        send(gateway, 'SIGTERM');
        setTimeout(() => send(gateway, 'SIGKILL'), leaveMs).unref();
      }
    },
  };
}
