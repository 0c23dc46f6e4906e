import type { DatabaseLimits } from '../../driver.ts';
import type { Room } from '../engine.ts';
import { writeSetting } from '../setting-file.ts';

/** Connections reserved for the platform: figures, a backup, a change, and the connection that terminates blocking sessions. */
const RESERVED = 4;
const MIN_BUFFERS_MB = 16;
const MAX_BUFFERS_MB = 256;

/**
 * Written to files that the server reads and cannot write. Other settings have their defaults: fsync and full page writes are on. Log
 * messages contain no statement and no parameter, so no secret gets into the output.
 */
function serverSettings(port: number, limits: DatabaseLimits): Record<string, string | number> {
  const buffers = Math.min(MAX_BUFFERS_MB, Math.max(MIN_BUFFERS_MB, Math.floor(limits.memory_mb / 16)));
  return {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    password_encryption: 'scram-sha-256',
    max_connections: limits.connections + RESERVED,
    superuser_reserved_connections: RESERVED,
    shared_buffers: `${buffers}MB`,
    maintenance_work_mem: '16MB',
    io_method: 'sync',
    jit: 'off',
    max_logical_replication_workers: 0, // subscriptions are not allowed
    max_worker_processes: 4,
    max_parallel_workers: 2,
    max_parallel_workers_per_gather: Math.min(2, Math.max(0, Math.ceil(limits.cpus) - 1)),
    wal_level: 'replica', // the minimum that allows a backup
    max_wal_senders: 0,
    max_prepared_transactions: 0, // a prepared transaction would hold locks without a session to terminate
    max_replication_slots: 1, // retains the journal during a backup
    min_wal_size: '8MB',
    max_wal_size: '128MB',
    temp_file_limit: '1GB', // for each session; figures do not count temporary files
    archive_mode: 'off',
    random_page_cost: 1.1,
    timezone: 'UTC',
    log_timezone: 'UTC',
    logging_collector: 'off',
    log_min_messages: 'fatal',
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
    log_parameter_max_length: 0,
    log_parameter_max_length_on_error: 0,
  };
}

/** All connections use TCP and the password; replication is not allowed. */
const ACCESS = 'host all all all scram-sha-256\n';

export function writeSettings(room: Room, port: number, limits: DatabaseLimits): void {
  const lines = Object.entries(serverSettings(port, limits)).map(([name, value]) => `${name} = '${value}'\n`);
  writeSetting(room, 'postgresql.conf', lines.join(''));
  writeSetting(room, 'pg_hba.conf', ACCESS);
  writeSetting(room, 'pg_ident.conf', '');
}
