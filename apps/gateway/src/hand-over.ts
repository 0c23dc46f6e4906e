import { readFileSync, writeFileSync } from 'node:fs';

/** See `tcp_migrate_req` in the kernel's `networking/ip-sysctl`. It is for both versions of IP, and since Linux 5.14. */
const setting = '/proc/sys/net/ipv4/tcp_migrate_req';
/** A turn this short leaves hardly any time for a connection to come between the look and the closing. */
const quietTurnMs = 0.1;
const maxWaitMs = 1_000;

/**
 * Has the kernel hand connections that wait at a socket to the others on its port when it closes; otherwise it resets them. Returns why that
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
 * Resolves when it is a good moment to close a listening socket: none came in the last turn of the event loop, and the turn was short. After
 * a second any moment is as good. `accepted` counts the connections so far.
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
