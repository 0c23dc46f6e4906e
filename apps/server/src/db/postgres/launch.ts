import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import { openToOthers } from '@paddock/database-driver';

/** PostgreSQL refuses to run as root. Under root it gets this uid, which no account has: systemd's tables leave 60578 to 61183 unused. */
const UID_UNDER_ROOT = 60_932;

interface Launch {
  folder: string;
  args: (folder: string) => string[];
  stdio: StdioOptions;
}

/** Runs PostgreSQL's programs on a folder, as a user that they accept. */
export type Launcher = {
  /** The required owner of the folder; undefined: the user of this process. */
  uid: number | undefined;
  /**
   * Starts a program in a separate session, so that a terminal's Ctrl-C does not reach it.
   * `args` receives the folder's path in that program's namespace. The child's pid is the program's own.
   */
  run: (program: 'initdb' | 'postgres', launch: Launch) => ChildProcess;
};

/** Keeps the existing owner of a cluster, so that a folder created by an ordinary user still opens under root. */
export function launcher(native: string, cluster: string): Launcher {
  if (process.getuid?.() !== 0) return { uid: undefined, run: runPlainly(native) };
  openToOthers(native);
  const owner = statSync(cluster, { throwIfNoEntry: false })?.uid;
  const uid = owner === undefined || owner === 0 ? UID_UNDER_ROOT : owner;
  return { uid, run: runAsUser(native, uid) };
}

function runPlainly(native: string): Launcher['run'] {
  return (program, { folder, args, stdio }) =>
    spawn(join(native, 'bin', program), args(folder), { cwd: folder, env: { PATH: '/usr/bin:/bin' }, stdio, detached: true });
}

/**
 * In its own mount namespace the program has the binaries and its data under a private tmpfs, so it can read them
 * even below a closed /root, and a passwd file with one entry, which initdb requires. The machine's own files stay unchanged.
 */
const AS_USER = `set -eu
room=$1 native=$2 folder=$3 uid=$4 program=$5; shift 5
mount -t tmpfs -o mode=0755,size=64k paddock "$room"
mkdir "$room/native" "$room/data"
mount --bind "$native" "$room/native"
mount --bind "$folder" "$room/data"
printf 'postgres:x:%s:%s::/:/bin/false\\n' "$uid" "$uid" >"$room/passwd"
mount --bind "$room/passwd" /etc/passwd
cd "$room/data"
exec setpriv --reuid "$uid" --regid "$uid" --clear-groups --inh-caps=-all --no-new-privs -- "$room/native/bin/$program" "$@"`;

function runAsUser(native: string, uid: number): Launcher['run'] {
  return (program, { folder, args, stdio }) => {
    const room = emptyRoom([native, folder]);
    const words = ['--mount', '--propagation', 'private', '--', 'sh', '-c', AS_USER, 'sh', room, native, folder, String(uid), program];
    return spawn('unshare', [...words, ...args(join(room, 'data'))], {
      cwd: '/',
      env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' },
      stdio,
      detached: true,
    });
  };
}

/** A system folder that can be covered in the namespace without hiding needed files. */
function emptyRoom(needed: string[]): string {
  const room = ['/mnt', '/media', '/srv', '/opt'].find(
    (place) => existsSync(place) && !needed.some((path) => path.startsWith(place + sep)),
  );
  if (!room) throw new Error('PostgreSQL needs one of the folders /mnt, /media, /srv or /opt to exist when Paddock runs as root.');
  return room;
}
