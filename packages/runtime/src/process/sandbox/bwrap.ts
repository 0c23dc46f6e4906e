import { existsSync, lstatSync, readlinkSync } from 'node:fs';
import type { Mount } from '../../driver.ts';

export interface SandboxView {
  hostname: string;
  /** Paths as bwrap sees them; the platform may see the same folder under another path. */
  app?: string;
  home: string;
  tmp: string;
  /** Folder with passwd, group, hosts, resolv.conf and nsswitch.conf for this sandbox. */
  etc: string;
  mounts: Mount[];
  /** The working folder inside the sandbox. */
  cwd: string;
  env: Record<string, string>;
  dieWithParent: boolean;
  disableUserNamespaces: boolean;
}

const SANDBOX_UID = 1000;
export const SANDBOX_PORT = 8080;
const MIB = 1024 * 1024;

/**
 * Folders besides /app in which agents made for containers keep their files. Each is a private folder of the agent below its home, so it
 * counts against the same limits and is removed with the home.
 */
export const ownPlaces = ['/data', '/logs', '/mnt', '/srv', '/workspace', '/var/cache', '/var/lib', '/var/log'].map((at) => ({
  at,
  /** Below the agent's home. */
  name: `.paddock${at.replaceAll('/', '-')}`,
}));

/** The given environment, plus the few variables that almost every program needs. */
export function sandboxEnvironment(env: Record<string, string>): Record<string, string> {
  return {
    PATH: '/usr/local/bin:/usr/bin:/bin',
    HOME: '/home/agent',
    TMPDIR: '/tmp',
    LANG: 'C.UTF-8',
    PORT: String(SANDBOX_PORT),
    ...env,
  };
}

/** Splits constant command lines. Not for values that may contain blanks. */
export const words = (text: string) => text.split(' ');

/**
 * The arguments of bwrap without the command. They contain the secrets of the environment, so they are passed in a file (`--args`) and
 * never on the command line, which every user of the machine can read. Later mounts cover earlier ones.
 */
export function sandboxArguments(view: SandboxView): string[] {
  return [
    ...words('--unshare-user --unshare-pid --unshare-ipc --unshare-uts --unshare-cgroup-try --new-session --cap-drop ALL'),
    ...(view.disableUserNamespaces ? ['--disable-userns'] : []),
    ...(view.dieWithParent ? ['--die-with-parent'] : []),
    ...words(`--uid ${SANDBOX_UID} --gid ${SANDBOX_UID} --clearenv --hostname`),
    view.hostname,
    ...Object.entries(sandboxEnvironment(view.env)).flatMap(([name, value]) => ['--setenv', name, value]),
    ...systemFolders(),
    ...systemSettings(view.etc),
    ...words(`--proc /proc --dev /dev --perms 1777 --size ${64 * MIB} --tmpfs /dev/shm --remount-ro /dev`),
    ...words(`--size ${16 * MIB} --tmpfs /run --dir /var --symlink /tmp /var/tmp --dir /home`),
    ...bind(view.tmp, '/tmp', true),
    ...bind(view.home, '/home/agent', true),
    ...(view.app === undefined ? [] : bind(view.app, '/app', true)),
    ...(view.app === undefined ? [] : ownPlaces.flatMap(({ name, at }) => bind(`${view.home}/${name}`, at, true))),
    ...view.mounts.flatMap((mount) => bind(mount.from, mount.at, mount.writable ?? false)),
    '--remount-ro',
    '/',
    '--chdir',
    view.cwd,
  ];
}

/** Contents of the small files that programs expect in /etc. */
export function etcFiles(resolvers: string[], hosts: { name: string; address: string }[]): Record<string, string> {
  return {
    passwd: `root:x:0:0:root:/nonexistent:/usr/sbin/nologin\nagent:x:${SANDBOX_UID}:${SANDBOX_UID}:agent:/home/agent:/bin/sh\nnobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n`,
    group: `root:x:0:\nagent:x:${SANDBOX_UID}:\nnogroup:x:65534:\n`,
    hosts: `127.0.0.1 localhost agent\n${hosts.map(({ name, address }) => `${address} ${name}\n`).join('')}`,
    'resolv.conf': `${resolvers.map((address) => `nameserver ${address}\n`).join('')}options timeout:3 attempts:2\n`,
    'nsswitch.conf': 'passwd: files\ngroup: files\nhosts: files dns\nnetworks: files\nservices: files\nprotocols: files\n',
  };
}

function bind(from: string, at: string, writable: boolean): string[] {
  return [writable ? '--bind' : '--ro-bind', from, at];
}

function systemFolders(): string[] {
  const folders = ['/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'].filter((path) => existsSync(path));
  // Merged systems link these into /usr; on other systems they are separate folders.
  const links = folders.flatMap((path) =>
    lstatSync(path).isSymbolicLink() ? ['--symlink', readlinkSync(path), path] : bind(path, path, false),
  );
  return [...bind('/usr', '/usr', false), ...links];
}

function systemSettings(etc: string): string[] {
  const fromHost = words(
    'ssl pki ca-certificates crypto-policies alternatives ld.so.cache ld.so.conf ld.so.conf.d localtime timezone mime.types protocols services fonts magic',
  );
  return [
    ...words('--perms 0755 --dir /etc'),
    ...fromHost.flatMap((name) => ['--ro-bind-try', `/etc/${name}`, `/etc/${name}`]),
    ...Object.keys(etcFiles([], [])).flatMap((name) => bind(`${etc}/${name}`, `/etc/${name}`, false)),
  ];
}
