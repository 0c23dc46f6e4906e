import type { Host } from '../host/host.ts';
import { withLock } from '../host/lock.ts';
import { run } from '../host/run.ts';

/** Outside the agents' range (`FIRST_UID` + slot) and every range that distributions assign. */
const FIRST_SERVICE_UID = 1_900_100_000;
/** Bounds the range of the user ids. */
const MAX_USER = 65_535;

const tableOf = (tag: string) => `paddock_${tag}_services`;

/** The user id under which root runs a service. */
export function serviceUid(user: number): number {
  if (!Number.isInteger(user) || user < 1 || user > MAX_USER) throw new Error(`${user} cannot be the user of a service.`);
  return FIRST_SERVICE_UID + user;
}

/** Prevents services from opening connections: writes the rules again, even if somebody has flushed those of the machine. */
export async function blockServiceEgress({ mode, tag }: Host, signal?: AbortSignal): Promise<void> {
  if (mode === 'root') await withLock(lockOf(tag), () => ensureServiceRules(tag, signal));
}

/**
 * Removes the rules, unless a service needs them (`isNeeded`). A start creates its folder before it writes the rules, so it is always seen.
 */
export async function unblockServiceEgress({ mode, tag }: Host, isNeeded: () => boolean): Promise<void> {
  if (mode !== 'root') return;
  await withLock(lockOf(tag), async () => {
    if (!isNeeded()) await removeServiceRules(tag);
  });
}

const lockOf = (tag: string) => `services ${tag}`;

/**
 * Services only answer: a packet that opens a connection, or is not TCP, is refused by the user id of its sender. That works without
 * connection tracking, which operators disable on loopback. Idempotent and without a gap.
 */
async function ensureServiceRules(tag: string, signal?: AbortSignal): Promise<void> {
  const table = `table inet ${tableOf(tag)}`;
  const sender = `meta skuid ${FIRST_SERVICE_UID + 1}-${FIRST_SERVICE_UID + MAX_USER}`;
  const stdin = `add ${table}
delete ${table}
${table} {
  chain leaving {
    type filter hook output priority filter; policy accept;
    ${sender} tcp flags & (fin | syn | rst | ack) == syn counter reject with tcp reset
    ${sender} meta l4proto != tcp counter reject with icmpx admin-prohibited
  }
}
`;
  await run('nft', ['-f', '-'], { stdin, ...(signal ? { signal } : {}) });
}

async function removeServiceRules(tag: string): Promise<void> {
  await run('nft', ['delete', 'table', 'inet', tableOf(tag)], { accept: [1] });
}
