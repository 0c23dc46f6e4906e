import { createHash } from 'node:crypto';
import { USER } from '../../driver.ts';

/** The platform's own user. */
export const ADMIN = 'paddock_admin';

/**
 * Rights of agents: all commands for data, scripts, streams, messages and their own connection. Refused: the server's settings, users,
 * files, modules, replication and other connections (the categories `admin` and `dangerous`). Given back from these are
 * - `INFO`: clients ask it whether the server is ready (ioredis) and how it evicts (BullMQ, Sidekiq);
 * - `CONFIG GET`, `CLIENT LIST`, `MODULE LIST`, `ROLE`: clients and queues ask them; the server has one tenant and its settings hold no secrets,
 *   for passwords are in the access rules only;
 * - `KEYS`, `FLUSHDB`, `SORT`, `SORT_RO`: slow or sweeping, but of the tenant's own data. `FLUSHALL` stays refused: a habit of test suites that
 *   empties what other agents of the project keep under other numbers.
 * `RESTORE` stays refused: it takes memory images, and a hostile image crashes the server.
 */
const AGENT_RIGHTS = '~* &* +@all -@admin -@dangerous +info +config|get +client|list +module|list +role +keys +flushdb +sort +sort_ro';

/** Only the commands that this folder sends; the platform does not touch keys. */
const ADMIN_RIGHTS = '-@all +auth +hello +ping +info +bgsave +acl|setuser +client|list +client|kill';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** A password in the form of access rules: no file or command contains the password. A plain hash is enough, since passwords are random. */
export const passwordRule = (password: string): string => `#${sha256(password)}`;

/** The file of users. Whoever does not sign in can do nothing. */
export const usersFile = (passwords: { agent: string; admin: string }): string =>
  [
    'user default reset',
    `user ${USER} reset on ${passwordRule(passwords.agent)} ${AGENT_RIGHTS}`,
    `user ${ADMIN} reset on ${passwordRule(passwords.admin)} ${ADMIN_RIGHTS}`,
    '',
  ].join('\n');
