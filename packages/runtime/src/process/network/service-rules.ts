import { run } from '../host/run.ts';

/** Outside the agents' range (`FIRST_UID` + slot) and every range that distributions hand out. */
const FIRST_SERVICE_UID = 1_900_100_000;
/** So that the range of the user ids is fixed. */
const LAST_USER = 65_535;

const tableOf = (tag: string) => `paddock_${tag}_services`;

/** The user id of a service as root. */
export function serviceUid(user: number): number {
  if (!Number.isInteger(user) || user < 1 || user > LAST_USER) throw new Error(`${user} cannot be the user of a service.`);
  return FIRST_SERVICE_UID + user;
}

/**
 * Services answer and never ask: whatever opens a connection, or is no TCP at all, is refused by the user id of its sender. No
 * connection tracking is needed for that, which operators switch off on loopback. Repeating it is harmless and leaves no gap.
 */
export async function ensureServiceRules(tag: string, signal?: AbortSignal): Promise<void> {
  const table = `table inet ${tableOf(tag)}`;
  const sender = `meta skuid ${FIRST_SERVICE_UID + 1}-${FIRST_SERVICE_UID + LAST_USER}`;
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

export async function removeServiceRules(tag: string): Promise<void> {
  await run('nft', ['delete', 'table', 'inet', tableOf(tag)], { accept: [1] });
}
