import { type DatabaseSpec, USER } from '../../driver.ts';
import type { Engine } from '../engine.ts';
import type { EngineOptions } from '../engines.ts';
import { asAdmin, ConnectionsUsedUp, NotReady } from './admin.ts';
import { backupRedis, redisUnpacked } from './backup.ts';
import { redisAvailability, serverProgram } from './binary.ts';
import { redisFigures, versionOf } from './figures.ts';
import { passwordRule } from './rights.ts';
import { previousKind, writeSettings, writeUsers } from './settings.ts';

/** What the sandbox has without asking. */
const SHOWN = /^\/(usr|bin|sbin)\//;

/** Makes the storage if there is none, removes what an interrupted save left, and becomes the server. Called with the store and its arguments. */
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

/** Redis or Valkey, whichever is there: of the kind that wrote the data, and of that the newest. */
export function redisEngine({ path }: EngineOptions): Engine {
  return {
    stop_signal: 'SIGTERM',
    available: () => redisAvailability(path),

    async command(room, spec, port) {
      const program = await serverProgram(path, previousKind(room));
      writeSettings(room, spec, program.kind, port);
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
        // What it answers otherwise, such as that a script keeps it busy, is not a matter of waiting for its start.
        if (error instanceof NotReady) return undefined;
        // It serves, to the full. Its version can only be that of the program: for the platform no connection is left.
        if (error instanceof ConnectionsUsedUp) return (await serverProgram(path)).version;
        throw error;
      }
    },

    async settle(spec, address) {
      try {
        await setAgentPassword(spec, address.port);
      } catch (error) {
        // The password is in the file of users since the start. A change that was cut off before the server heard of it is made again by its task.
        if (!(error instanceof ConnectionsUsedUp)) throw error;
      }
    },
    measure: (spec, address) => asAdmin(spec, address.port, redisFigures),

    async setPassword(room, spec, address) {
      // The server is told, and the file is for its next start.
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

    backup: (room, spec, address, pack, signal) => asAdmin(spec, address.port, (admin) => backupRedis(room, admin, pack, signal)),
    unpacked: redisUnpacked,
  };
}

/** Whether the user may sign in at all is `setWriting`'s. */
async function setAgentPassword(spec: DatabaseSpec, port: number): Promise<void> {
  await asAdmin(spec, port, (admin) => admin.send('ACL', 'SETUSER', USER, 'resetpass', passwordRule(spec.password)));
}
