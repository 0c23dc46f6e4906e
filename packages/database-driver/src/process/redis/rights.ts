import { createHash } from 'node:crypto';
import { USER } from '../../driver.ts';

/** The platform's own user. */
export const ADMIN = 'paddock_admin';

/**
 * Permissions of agents: all commands for data, scripts, streams, messages and their own connection. Denied: the server's settings, users,
 * files, modules, replication and other connections (the categories `admin` and `dangerous`). Exceptions that are allowed:
 * - `INFO`: clients use it to check whether the server is ready (ioredis) and how it evicts (BullMQ, Sidekiq);
 * - `CONFIG GET`, `CLIENT LIST`, `MODULE LIST`, `ROLE`: clients and queues use them. The server has one tenant and its settings contain no
 *   secrets, because passwords are only in the access rules;
 * - `KEYS`, `FLUSHDB`, `SORT`, `SORT_RO`: slow or far-reaching, but limited to the tenant's own data. `FLUSHALL` is denied: test suites often
 *   call it, and it would empty the databases that other agents of the project use under other numbers.
 * `RESTORE` is denied: it accepts memory images, and a hostile image crashes the server.
 */
const AGENT_RIGHTS = '~* &* +@all -@admin -@dangerous +info +config|get +client|list +module|list +role +keys +flushdb +sort +sort_ro';

/** Only the commands that this folder sends. The platform does not access keys. */
const ADMIN_RIGHTS = '-@all +auth +hello +ping +info +bgsave +acl|setuser +client|list +client|kill';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** A password in the form of access rules, so that no file or command contains it. A plain hash is enough, since passwords are random. */
export const passwordRule = (password: string): string => `#${sha256(password)}`;

/** The file of users. A client that does not sign in has no permissions. */
export const usersFile = (passwords: { agent: string; admin: string }): string =>
  [
    'user default reset',
    `user ${USER} reset on ${passwordRule(passwords.agent)} ${AGENT_RIGHTS}`,
    `user ${ADMIN} reset on ${passwordRule(passwords.admin)} ${ADMIN_RIGHTS}`,
    '',
  ].join('\n');
