import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseLimits, DatabaseSpec } from '../../driver.ts';
import type { Room } from '../engine.ts';
import { writeSetting } from '../setting-file.ts';
import type { ServerProgram } from './binary.ts';
import { usersFile } from './rights.ts';

const MIB = 1024 * 1024;
/** Memory of the server itself, its threads and scripts. */
const OWN_MB = 16;
/** The other half is for pages that change while a fork writes them to disk: in the worst case all pages. */
const DATA_SHARE = 0.5;
/** Connections for the platform: figures, a backup and a start at the same time, and some that are just closing. */
const OWN_CONNECTIONS = 8;
const CLIENT_MEMORY_PERCENT = 25;

/** The part of a server's memory limit for data, connections and buffers, in bytes. */
export const redisDataBytes = (limits: DatabaseLimits): number => Math.max(8, Math.floor((limits.memory_mb - OWN_MB) * DATA_SHARE)) * MIB;

/** redis.conf, valid since Redis 7.0 and Valkey 7.2. The command passes the paths. */
function serverSettings(limits: DatabaseLimits, port: number): string {
  const data = redisDataBytes(limits);
  return `# Written by Paddock before each start of the server: changes are lost.
bind 127.0.0.1
port ${port}
protected-mode yes
tcp-keepalive 60
maxclients ${limits.connections + OWN_CONNECTIONS}
enable-debug-command no
enable-module-command no
enable-protected-configs no

daemonize no
loglevel warning
# A crash report would hold data.
crash-log-enabled no
crash-memcheck-enabled no

appendonly yes
appenddirname appendonlydir
appendfilename appendonly.aof
# With everysec, commands are answered before they are written while the disk is slow: the end of the server loses them.
appendfsync always
aof-use-rdb-preamble yes
aof-load-truncated yes
# Snapshots are for backups only.
save ""
dbfilename dump.rdb
stop-writes-on-bgsave-error no

maxmemory ${data}
# Keys that expire make room; those that do not are never dropped. Without room, writing is refused.
maxmemory-policy volatile-lru
maxmemory-clients ${CLIENT_MEMORY_PERCENT}%
proto-max-bulk-len ${Math.min(512 * MIB, Math.floor(data / 2))}
client-query-buffer-limit ${Math.min(1024 * MIB, data)}
# Where memory runs out all the same, a backup ends rather than the server.
oom-score-adj relative
oom-score-adj-values 0 0 800
`;
}

const KIND = 'kind';

/** Writes the files that a server of this kind needs to start. */
export function writeSettings(room: Room, spec: DatabaseSpec, { kind, port }: { kind: ServerProgram['kind']; port: number }): void {
  writeUsers(room, spec);
  writeSetting(room, 'redis.conf', serverSettings(spec.limits, port));
  writeSetting(room, KIND, kind);
}

export const writeUsers = (room: Room, { password, admin_password }: DatabaseSpec): void =>
  writeSetting(room, 'users.acl', usersFile({ agent: password, admin: admin_password }));

/** The kind of server that ran here last, if any. */
export function previousKind(room: Room): ServerProgram['kind'] | undefined {
  const file = join(room.settings, KIND);
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  return text === 'redis' || text === 'valkey' ? text : undefined;
}
