import { readFileSync, writeFileSync } from 'node:fs';

/** See `tcp_migrate_req` in the kernel's `networking/ip-sysctl`. It applies to both versions of IP, and exists since Linux 5.14. */
const setting = '/proc/sys/net/ipv4/tcp_migrate_req';
/** A turn this short leaves hardly any time for a connection to arrive between the check and the closing. */
const quietTurnMs = 0.1;
const maxWaitMs = 1_000;

/**
 * Makes the kernel pass connections that wait at a closing socket to the other sockets on its port; by default it resets them. Returns why that
 * could not be set: only root may.
 */
export function handOverWaitingConnections(): Error | undefined {
  try {
    if (readFileSync(setting, 'utf8').trim() !== '1') writeFileSync(setting, '1');
    return undefined;
  } catch (error) {
    return error as Error;
  }
}

/**
 * Resolves when it is a good moment to close a listening socket: no connection arrived in the last turn of the event loop, and the turn was short.
 * After a second any moment is acceptable. `accepted` counts the connections so far.
 */
export async function untilNobodyWaits(accepted: () => number): Promise<void> {
  const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
  const end = performance.now() + maxWaitMs;
  await turn();
  for (;;) {
    const before = accepted();
    const start = performance.now();
    await turn();
    const now = performance.now();
    if ((accepted() === before && now - start < quietTurnMs) || now > end) return;
  }
}
