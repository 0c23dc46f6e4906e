import { type DatabaseSpec, USER } from '../../driver.ts';
import type { Engine, EngineOptions } from '../engine.ts';
import { asAdmin, ConnectionsUsedUp, NotReady } from './admin.ts';
import { backupRedis, redisUnpacked } from './backup.ts';
import { redisAvailability, serverProgram } from './binary.ts';
import { redisFigures, versionOf } from './figures.ts';
import { passwordRule } from './rights.ts';
import { previousKind, writeSettings, writeUsers } from './settings.ts';

/** Folders that every sandbox sees. */
const SHOWN = /^\/(usr|bin|sbin)\//;

/**
 * Creates missing storage, removes the files of an interrupted save, and becomes the server. Called with the store and the server's
 * arguments.
 */
const START = `set -eu
umask 077
cd "$1"
shift
if ! [ -d data ]; then
  rm -rf draft
  mkdir draft
  mv draft data
fi
rm -f data/dump.rdb data/temp-*.rdb data/temp-rewriteaof-*.aof data/appendonlydir/temp-*
exec "$0" "$@"
`;

/** Runs Redis or Valkey: the newest program of the kind that wrote the data, otherwise the newest of all. */
export function redisEngine({ path }: EngineOptions): Engine {
  return {
    stop_signal: 'SIGTERM',
    available: () => redisAvailability(path),

    async command(room, spec, port) {
      const program = await serverProgram(path, previousKind(room));
      writeSettings(room, spec, { kind: program.kind, port });
      const hidden = program.folders.filter((folder) => !SHOWN.test(`${folder}/`)).map((folder) => ({ from: folder, at: folder }));
      const settings = ['/settings/redis.conf', '--dir', '/store/data', '--aclfile', '/settings/users.acl'];
      return {
        command: ['/bin/sh', '-c', START, program.path, '/store', ...settings],
        mounts: [{ from: room.settings, at: '/settings' }, ...hidden],
        env: { LC_ALL: 'C' },
      };
    },

    async answers(spec, port) {
      try {
        return await asAdmin(spec, port, async (admin) => {
          const info = await admin.info('server', 'persistence');
          if (info.loading !== '0') return undefined;
          await admin.send('PING');
          return versionOf(info);
        });
      } catch (error) {
        // Other errors, such as a script that keeps the server busy, do not resolve by waiting.
        if (error instanceof NotReady) return undefined;
        // The server works, but has no free connection to query its version, so the program's version is returned.
        if (error instanceof ConnectionsUsedUp) return (await serverProgram(path)).version;
        throw error;
      }
    },

    async settle(spec, address) {
      try {
        await setAgentPassword(spec, address.port);
      } catch (error) {
        // The password is in the file of users since the start. The job of an interrupted change makes the change again.
        if (!(error instanceof ConnectionsUsedUp)) throw error;
      }
    },
    measure: (spec, address) => asAdmin(spec, address.port, redisFigures),

    async setPassword(room, spec, address) {
      // The file is for the next start. The running server gets the password by a command.
      writeUsers(room, spec);
      await setAgentPassword(spec, address.port);
      await asAdmin(spec, address.port, (admin) => admin.send('CLIENT', 'KILL', 'USER', USER));
    },

    async setWriting(spec, address, writing) {
      await asAdmin(spec, address.port, async (admin) => {
        await admin.send('ACL', 'SETUSER', USER, writing === 'refused' ? 'off' : 'on');
        if (writing === 'refused') await admin.send('CLIENT', 'KILL', 'USER', USER);
      });
    },

    backup: (job) => asAdmin(job.spec, job.address.port, (admin) => backupRedis(admin, job)),
    unpacked: redisUnpacked,
  };
}

/** Does not change whether the user may sign in, which `setWriting` controls. */
async function setAgentPassword(spec: DatabaseSpec, port: number): Promise<void> {
  await asAdmin(spec, port, (admin) => admin.send('ACL', 'SETUSER', USER, 'resetpass', passwordRule(spec.password)));
}
