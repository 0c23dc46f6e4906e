import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Availability } from '../../driver.ts';
import type { Engine, EngineOptions } from '../engine.ts';
import { writeSetting } from '../setting-file.ts';
import { backupPostgres, postgresUnpacked } from './backup.ts';
import { findPostgres, openToOthers } from './binaries.ts';
import { ADMIN, asAdmin } from './connect.ts';
import { measurePostgres } from './measure.ts';
import { scramVerifier } from './scram.ts';
import { writeSettings } from './settings.ts';
import { setPassword, settle, setWriting } from './settle.ts';

const VERSION_MS = 10_000;
const LOCALE = '--encoding=UTF8 --locale=C --locale-provider=builtin --builtin-locale=C.UTF-8';

/**
 * Creates new storage in a draft folder first, then becomes the server. Called with the store, the settings, the programs, and the folder of
 * an extension that PostgreSQL does not bring; empty if there is none. In a separate
 * process namespace, the pid file of a killed server is meaningless: its number may belong to another program. Without one (`keep`),
 * PostgreSQL checks whether the process of the file is alive.
 */
const START = `set -eu
store=$1 settings=$2 native=$3 pidfile=$4 extension=$5
if ! [ -d "$store/data" ]; then
  rm -rf "$store/draft"
  "$native/bin/initdb" -D "$store/draft" -U ${ADMIN} --pwfile="$settings/admin-password" --auth=scram-sha-256 ${LOCALE} --wal-segsize=1 --no-instructions >/dev/null
  mv "$store/draft" "$store/data"
fi
[ "$pidfile" = keep ] || rm -f "$store/data/postmaster.pid"
exec "$native/bin/postgres" -D "$store/data" -c config_file="$settings/postgresql.conf" -c hba_file="$settings/pg_hba.conf" -c ident_file="$settings/pg_ident.conf" \
  -c "extension_control_path=\\$system\${extension:+:$extension/share}" -c "dynamic_library_path=\\$libdir\${extension:+:$extension/lib}"
`;

export function postgresEngine({ unsandboxed, extensions }: EngineOptions): Engine {
  return {
    stop_signal: 'SIGINT', // ends sessions cleanly and writes memory to disk; SIGTERM would wait for clients
    available: () => available(unsandboxed),

    async command(room, spec, port) {
      const found = findPostgres();
      if (!('native' in found)) throw new Error(found.reason);
      if (room.owner !== undefined) openToOthers(found.native);
      writeSettings(room, port, spec.limits);
      if (!existsSync(room.data)) writeSetting(room, 'admin-password', await scramVerifier(spec.admin_password));
      const mounts = [
        { from: found.native, at: '/postgresql' },
        { from: room.settings, at: '/settings' },
        ...(extensions === undefined ? [] : [{ from: extensions.folder, at: '/extensions' }]),
      ];
      await extensions?.prepare();
      const extension = extensions === undefined ? '' : `/extensions/${extensions.vector}`;
      return {
        command: ['/bin/sh', '-c', START, 'sh', '/store', '/settings', '/postgresql', unsandboxed ? 'keep' : 'remove', extension],
        mounts,
        env: { TZ: 'UTC' },
      };
    },

    async answers(spec, port) {
      try {
        return await asAdmin(spec, { port }, async (sql) => {
          const [row] = await sql<{ version: string }[]>`SELECT current_setting('server_version') AS version`;
          return row?.version;
        });
      } catch (error) {
        if (isNotYet(error)) return undefined;
        throw error;
      }
    },

    settle,
    measure: measurePostgres,
    setPassword: (_room, spec, address) => setPassword(spec, address),
    setWriting,
    backup: backupPostgres,
    unpacked: postgresUnpacked,
  };
}

/** The server is not listening yet, recovering from a crash (57P03), or closing the connection while it shuts down. */
function isNotYet(error: unknown): boolean {
  const { code } = error as { code?: string };
  return ['ECONNREFUSED', 'ECONNRESET', 'CONNECTION_CLOSED', 'CONNECTION_ENDED', 'CONNECT_TIMEOUT', '57P03', '57P01', '57P02'].includes(
    code ?? '',
  );
}

async function available(unsandboxed: boolean): Promise<Availability> {
  const found = findPostgres();
  const elsewhere = 'Use a PostgreSQL of your own: bring its connection string.';
  if (!('native' in found)) {
    const remedy = found.installable ? 'Run "npm ci" in the folder of Paddock, and start it again.' : elsewhere;
    return { ok: false, reason: found.reason, remedy };
  }
  if (unsandboxed && process.getuid?.() === 0) {
    return {
      ok: false,
      reason: 'PostgreSQL refuses to run as root, and without the sandbox there is no other user for it.',
      remedy: 'Start Paddock as an ordinary user, or without PADDOCK_UNSANDBOXED.',
    };
  }
  try {
    const program = join(found.native, 'bin', 'postgres');
    const { stdout } = await promisify(execFile)(program, ['--version'], { timeout: VERSION_MS, env: {} });
    const version = /\d+(\.\d+)*/.exec(stdout)?.[0];
    if (version) return { ok: true, version };
    return { ok: false, reason: 'The PostgreSQL that Paddock brings does not tell its version.', remedy: elsewhere };
  } catch (error) {
    return {
      ok: false,
      reason: `The PostgreSQL that Paddock brings does not run here: ${(error as Error).message.split('\n').join(' ')}`,
      remedy: elsewhere,
    };
  }
}
