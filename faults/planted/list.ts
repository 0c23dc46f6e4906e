import type { PlantedBug } from './bug.ts';
import { cliBugs } from './cli-bugs.ts';
import { consoleBugs } from './console-bugs.ts';
import { databaseAccessBugs } from './database-access-bugs.ts';
import { databaseBugs } from './database-bugs.ts';
import { databaseCareBugs } from './database-care-bugs.ts';
import { deployBugs } from './deploy-bugs.ts';
import { fullDiskBugs } from './full-disk-bugs.ts';
import { hostileTextBugs } from './hostile-text-bugs.ts';
import { httpBugs } from './http-bugs.ts';
import { keyBugs } from './key-bugs.ts';
import { mailBugs } from './mail-bugs.ts';
import { oauthBugs } from './oauth-bugs.ts';
import { profileBugs } from './profile-bugs.ts';
import { signInBugs } from './sign-in-bugs.ts';
import { standstillBugs } from './standstill-bugs.ts';
import { tenantFileBugs } from './tenant-file-bugs.ts';

const deployments = 'apps/server/src/features/deployments';
const logs = 'apps/server/src/features/logs';
const accounts = 'apps/server/src/features/accounts';
const access = 'apps/server/src/http/access.test.ts';
const unpacking = 'packages/builder/src/unpack';
const runtime = 'packages/runtime/src/process';

/** Each breaks one promise. None lets anything out of the machine or touches what other installations made. */
export const bugs: PlantedBug[] = [
  {
    bug: 'a change of a deployment no longer asks for the fence',
    promise: 'P2, I3: who has lost the lease changes nothing',
    file: `${deployments}/transitions.ts`,
    from: 'where id = ${id} and fence = ${fence} and not cancel_requested returning id`',
    to: 'where id = ${id} and ${fence}::bigint > 0 and not cancel_requested returning id`',
    caught_by: { file: `${deployments}/leases.test.ts`, test: 'a worker that lost its lease' },
  },
  {
    bug: 'a lease is not renewed',
    promise: 'P2: what is worked on is not taken away',
    file: `${deployments}/transitions.ts`,
    from: 'update deployments d set lease_until = now() + ${lease}::interval from projects p',
    to: 'update deployments d set lease_until = d.lease_until from projects p',
    caught_by: { file: `${deployments}/leases.test.ts`, test: 'a lease that is renewed' },
  },
  {
    bug: 'a lease never ends',
    promise: 'P2: the work of a dead worker is taken over',
    file: `${deployments}/transitions.ts`,
    from: '(d.lease_until is null or d.lease_until < now())',
    to: '(d.lease_until is null)',
    caught_by: { file: `${deployments}/leases.test.ts`, test: 'work whose lease has ended' },
  },
  {
    bug: 'an older deployment that is ready later takes the address back',
    promise: 'I3: traffic goes to the newest',
    file: `${deployments}/transitions.ts`,
    from: 'if (newer) {',
    to: 'if (newer && !newer) {',
    caught_by: { file: `${deployments}/leases.test.ts`, test: 'a deployment that is ready after a newer one' },
  },
  {
    bug: 'the address moves when the build begins, not when the agent is ready',
    promise: 'P3: the old version serves until the new one is ready',
    file: `${deployments}/transitions.ts`,
    from: "set state = 'starting', deployment_id = excluded.deployment_id where routes.target_host is null`",
    to: "set state = 'starting', deployment_id = excluded.deployment_id, target_host = null, target_port = null`",
    caught_by: { file: `${deployments}/leases.test.ts`, test: 'while a new version is built' },
  },
  {
    bug: 'the one before is ended at once instead of draining',
    promise: 'P3: requests under way end where they began',
    file: `${deployments}/transitions.ts`,
    from: 'then ${`${keptSeconds} seconds`} else',
    to: 'then ${`${keptSeconds * 0} seconds`} else',
    caught_by: { file: `${deployments}/drain.test.ts`, test: 'a request that is under way' },
  },
  {
    bug: 'deployments are read without asking whose they are',
    promise: 'P6: nothing of one team is readable by another',
    file: `${deployments}/store.ts`,
    from: 'where d.team_id = ${team_id} and p.team_id = ${team_id} and p.deleting_at is null`;',
    to: "where ${team_id}::text <> '' and p.deleting_at is null`;",
    caught_by: { file: access, test: 'with the id of another team' },
  },
  {
    bug: 'the live log does not ask whose deployment it is',
    promise: 'P6: nothing of one team is readable by another',
    file: `${logs}/socket.ts`,
    from: 'await store.mustExist(actor.team_id, deployment_id);',
    to: '',
    caught_by: { file: access, test: 'the live log refuses' },
  },
  {
    bug: 'a ticket for a live log works again and again',
    promise: 'R: a ticket works once',
    file: `${logs}/store.ts`,
    from: 'delete from log_tickets where token_hash = ${token_hash} and deployment_id',
    to: 'update log_tickets set team_id = team_id where token_hash = ${token_hash} and deployment_id',
    caught_by: { file: access, test: 'the live log refuses' },
  },
  {
    bug: 'the end of a session is not looked at',
    promise: 'P5, R8: a session that has expired opens nothing',
    file: `${accounts}/store.ts`,
    from: 'where s.token_hash = ${token_hash} and s.expires_at > now()`',
    to: 'where s.token_hash = ${token_hash}`',
    caught_by: { file: `${accounts}/accounts.test.ts`, test: 'an expired session' },
  },
  {
    bug: 'signing out leaves the session',
    promise: 'P5: an ended session takes effect on the next request',
    file: `${accounts}/store.ts`,
    from: 'closeSession: (session_id: string) => sql`delete from sessions where id = ${session_id}`',
    to: 'closeSession: (session_id: string) => sql`select 1 from sessions where id = ${session_id}`',
    caught_by: { file: `${accounts}/accounts.test.ts`, test: 'a person signs up' },
  },
  {
    bug: 'attempts are not counted up',
    promise: 'R5: guesses are limited, in parallel too',
    file: 'apps/server/src/http/rate-limit.ts',
    from: 'set count = rate_limits.count + 1',
    to: 'set count = excluded.count',
    caught_by: { file: `${accounts}/accounts.test.ts`, test: 'of fifty parallel guesses' },
  },
  {
    bug: 'for an unknown account no password is hashed',
    promise: 'R4: known and unknown accounts take the same time',
    file: `${accounts}/passwords.ts`,
    from: 'const right = await turn(async () => verify(stored ?? (await dummy), password.normalize(',
    to: 'const right = stored !== undefined && await turn(async () => verify(stored ?? (await dummy), password.normalize(',
    caught_by: { file: `${accounts}/passwords.test.ts`, test: 'an account that does not exist' },
  },
  {
    bug: 'a sealed value is not bound to its variable',
    promise: 'P7: a sealed value opens for its owner alone',
    file: 'apps/server/src/features/variables/store.ts',
    from: '=> `variable:${project_id}:${environment}:${key}`',
    to: '=> `variable:${[project_id, environment, key].length}`',
    caught_by: { file: 'apps/server/src/features/variables/variables.test.ts', test: 'a sealed value that is moved' },
  },
  {
    bug: 'the Idempotency-Key is ignored',
    promise: 'P9: a repeated request does a thing once',
    file: 'apps/server/src/http/idempotency.ts',
    from: 'if (secretAnswers.has(route.path)) return',
    to: 'if (route.path) return',
    caught_by: { file: 'apps/server/src/features/projects/projects.test.ts', test: 'a POST repeated with its Idempotency-Key' },
  },
  {
    bug: 'lines are stored although another collector stored them',
    promise: 'P4: every line exactly once',
    file: `${logs}/store.ts`,
    from: 'if (!moved) throw new Overtaken();',
    to: 'void moved;',
    caught_by: { file: `${logs}/logs.test.ts`, test: 'the collector stores each line once' },
  },
  {
    bug: 'each batch of lines leaves out a number',
    promise: 'P4, I5: numbers are contiguous',
    file: `${logs}/store.ts`,
    from: 'set last_number = log_heads.last_number + ${lines.length},',
    to: 'set last_number = log_heads.last_number + ${lines.length + 1},',
    caught_by: { file: `${logs}/logs.test.ts`, test: 'lines are numbered from 1' },
  },
  {
    bug: 'a reader goes on with the line that it had last',
    promise: 'P4: every line exactly once to every reader',
    file: `${logs}/feed.ts`,
    from: 'subscription.next = last + 1;',
    to: 'subscription.next = last;',
    caught_by: { file: `${logs}/logs.test.ts`, test: 'readers at different places' },
  },
  {
    bug: 'a failed handshake of a live log keeps its place',
    promise: 'I11: nothing grows with what has gone',
    file: `${logs}/socket.ts`,
    from: 'const { user_id } = admitted;',
    to: 'const { user_id } = admitted; open.set(user_id, (open.get(user_id) ?? 0) + 1);',
    caught_by: { file: `${logs}/logs.test.ts`, test: 'handshakes that fail' },
  },
  {
    bug: 'every build of the last week is kept',
    promise: 'I11: disk is bounded however often a project is deployed',
    file: `${deployments}/in-use.ts`,
    from: 'where runs or (place <= ${artifactsKept} and',
    to: 'where runs or (place > ${artifactsKept * 0} and',
    caught_by: { file: `${deployments}/artifacts.test.ts`, test: 'of an environment the last ten builds' },
  },
  {
    bug: 'a symbolic link in an archive is taken for a file',
    promise: 'archives: files and folders only',
    file: `${unpacking}/entry-rules.ts`,
    from: 'if (type === 0 || type === (directory',
    to: 'if (type === 0 || type === fileType.link || type === (directory',
    caught_by: { file: `${unpacking}/unpack.test.ts`, test: 'an archive with a symbolic link' },
  },
  {
    bug: 'a name may point out of the folder',
    promise: 'archives: nothing appears outside of the destination',
    file: `${unpacking}/entry-rules.ts`,
    from: "if (segments.includes('..')) throw",
    to: "if (segments.includes('...')) throw",
    caught_by: { file: `${unpacking}/unpack.test.ts`, test: 'an entry named "../evil"' },
  },
  {
    bug: 'a bomb of zeros is unpacked',
    promise: 'archives: at most 200 times their size',
    file: `${unpacking}/zip-directory.ts`,
    from: 'return size > 1024 ** 2 && size > compressed * limits.ratio;',
    to: 'return size > 1024 ** 4 && size > compressed * limits.ratio;',
    caught_by: { file: `${unpacking}/unpack.test.ts`, test: 'an archive with a bomb of zeros' },
  },
  {
    bug: 'the system call filter lets ptrace through',
    promise: 'agents: no tracing',
    file: `${runtime}/seccomp.ts`,
    from: 'ptrace: [101, 117], process_vm_readv',
    to: 'process_vm_readv',
    caught_by: { file: `${runtime}/isolation.test.ts`, test: 'cannot make namespaces, mount, trace' },
  },
  {
    bug: 'the addresses of sandboxes are no private range any more',
    promise: 'agents: refused before a packet leaves',
    file: `${runtime}/egress.ts`,
    from: "'192.168.0.0/16', '198.18.0.0/15',",
    to: "'192.168.0.0/16',",
    caught_by: { file: `${runtime}/isolation.test.ts`, test: 'reaches neither private ranges' },
  },
  {
    bug: "the agent's secrets stay in a file of the host",
    promise: 'P7: secrets appear nowhere',
    file: `${runtime}/enter.sh`,
    from: 'rm "$folder/arguments"',
    to: 'true "$folder/arguments"',
    caught_by: { file: `${runtime}/isolation.test.ts`, test: 'has no secret of its own' },
  },
  {
    bug: 'an agent may start twenty times as many processes',
    promise: 'agents: a fork bomb hurts nobody',
    file: `${runtime}/cgroup.ts`,
    from: 'String(limits.processes + SANDBOX_PROCESSES)',
    to: 'String(limits.processes * 20)',
    caught_by: { file: `${runtime}/limits.test.ts`, test: 'an agent that starts processes without end' },
  },
  {
    bug: 'headers that Connection names are passed on',
    promise: 'gateway: hop-by-hop headers stay here',
    file: 'apps/gateway/src/request-head.ts',
    from: 'if (isDropped(name) || named.has(name)) continue;',
    to: 'if (isDropped(name)) continue;',
    caught_by: { file: 'apps/gateway/src/headers.test.ts', test: 'hop-by-hop headers' },
  },
  {
    bug: 'what a visitor says of forwarding reaches the agent',
    promise: 'gateway: forwarding headers tell what it saw itself',
    file: 'apps/gateway/src/request-head.ts',
    from: "plain.startsWith('x-forwarded')",
    to: "plain.startsWith('x-forwarded-none')",
    caught_by: { file: 'apps/gateway/src/headers.test.ts', test: 'forwarding headers tell' },
  },
  {
    bug: 'chunks in HTTP/1.0 are passed on',
    promise: 'gateway: nothing is passed on that two servers read differently',
    file: 'apps/gateway/src/request-head.ts',
    from: "|| value.toLowerCase() !== 'chunked' || req.httpVersionMinor === 0)",
    to: "|| value.toLowerCase() !== 'chunked')",
    caught_by: { file: 'apps/gateway/src/strict.test.ts', test: 'refused and closed: chunks in HTTP/1.0' },
  },
  {
    bug: 'SIGTERM ends the gateway at once',
    promise: 'P10: SIGTERM loses no request',
    file: 'apps/gateway/src/main.ts',
    from: 'if (isLeaving) process.exit(1);',
    to: 'process.exit(1);',
    caught_by: { file: 'apps/gateway/src/main.test.ts', test: 'SIGTERM lets a request in flight finish' },
  },
  ...cliBugs,
  ...consoleBugs,
  ...databaseAccessBugs,
  ...databaseBugs,
  ...databaseCareBugs,
  ...deployBugs,
  ...fullDiskBugs,
  ...hostileTextBugs,
  ...keyBugs,
  ...mailBugs,
  ...oauthBugs,
  ...profileBugs,
  ...httpBugs,
  ...signInBugs,
  ...standstillBugs,
  ...tenantFileBugs,
];
