import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { say, stop } from './messages.mjs';
import { findProgram } from './programs.mjs';

const isRoot = process.getuid?.() === 0;
const APT_MS = 15 * 60_000;

/** The programs that run agents on Linux, with the Debian packages that hold them. */
export const FOR_AGENTS = [
  { package: 'bubblewrap', isThere: () => has('bwrap') },
  { package: 'passt', isThere: () => has('pasta') },
  // Only root makes network rules and interfaces; an ordinary user's agents go through pasta.
  { package: 'nftables', isThere: () => !isRoot || has('nft') },
  { package: 'iproute2', isThere: () => !isRoot || has('ip') },
  { package: 'python3', isThere: () => has('python3') },
  { package: 'python3-venv', isThere: () => canImport('ensurepip') },
];

/**
 * The databases that Paddock runs for agents, besides the PostgreSQL that comes with it. `service`: the unit that Debian's package would start, which
 * listens for everybody on the machine and which nothing here uses.
 */
export const FOR_DATABASES = [
  { package: 'redis-server', isThere: () => has('redis-server') || has('valkey-server'), service: 'redis-server' },
];

/** Compilers for packages without a prebuilt wheel or binary; agents run without them. */
export const FOR_BUILDS = [
  { package: 'build-essential', isThere: () => ['cc', 'c++', 'make'].every(has) },
  { package: 'pkg-config', isThere: () => has('pkg-config') },
  { package: 'python3-dev', isThere: () => hasPythonHeaders() },
  { package: 'libpq-dev', isThere: () => has('pg_config') },
];

/** Further packages for the tests, which type into a real terminal and read invoices with a PDF reader. */
export const FOR_TESTS = [
  { package: 'tmux', isThere: () => has('tmux') },
  { package: 'poppler-utils', isThere: () => has('pdftotext') },
];

/**
 * Sees to it that the programs are there. As root on Debian and Ubuntu the missing ones are installed; elsewhere the command
 * for it is printed, and the bootstrap ends if they `must` be there.
 */
export function ensurePrograms({ wanted, must }) {
  if (process.platform !== 'linux') return;
  const missing = () => wanted.filter((one) => !one.isThere()).map((one) => one.package);
  const before = missing();
  if (before.length === 0) return;
  if (canInstall()) install(wanted.filter((one) => before.includes(one.package)));
  const after = missing();
  if (after.length === 0) return;
  const remedy = isDebian()
    ? `Install with:\n\n    ${isRoot ? '' : 'sudo '}apt-get install -y --no-install-recommends ${after.join(' ')}`
    : "Install what your distribution has under these names (they are Debian's).";
  const message = `Missing on this machine: ${after.join(', ')}.\n${remedy}`;
  if (must) stop(message);
  say(`\n${message}\n\nStarting without. The console says what does not work.\n`);
}

/** Whether this process may install Debian packages. */
export const canInstall = () => isRoot && isDebian();

const isDebian = () => distribution().includes('debian') && has('apt-get');

function install(wanted) {
  const packages = wanted.map((one) => one.package);
  say(`Installing system packages: ${packages.join(', ')} ...`);
  if (!aptGet('update')) say('apt-get update failed, see above. Trying with the package lists that are there.');
  withoutServices(
    wanted.flatMap(({ service }) => service ?? []),
    () => {
      // All in one go; where the distribution lacks one of them, the others all the same.
      if (!aptGet('install', ...packages)) for (const one of packages) aptGet('install', one);
    },
  );
}

/** Installs packages whose services neither start now nor at the machine's next start. */
function withoutServices(services, doInstall) {
  const hasSystemd = existsSync('/run/systemd/system');
  // A masked unit is not started by the package; it is unmasked once it is disabled.
  if (hasSystemd) for (const service of services) systemctl('mask', service);
  try {
    doInstall();
  } finally {
    for (const service of services) {
      if (hasSystemd) systemctl('unmask', service);
      if (!hasSystemd || !systemctl('disable', service)) quietly('update-rc.d', [service, 'disable']);
    }
  }
}

const systemctl = (verb, service) => quietly('systemctl', [verb, `${service}.service`]);
const quietly = (program, args) => spawnSync(program, args, { stdio: 'ignore', timeout: 60_000 }).status === 0;

export function aptGet(verb, ...packages) {
  // Without systemd, packages start no service in this run level.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', ...(existsSync('/run/systemd/system') ? {} : { RUNLEVEL: '1' }) };
  const args = ['-qq', '-o', 'Dpkg::Use-Pty=0', ...(verb === 'install' ? ['-y', '--no-install-recommends'] : []), verb, ...packages];
  const { status, signal } = spawnSync('apt-get', args, { env, stdio: ['ignore', 2, 2], timeout: APT_MS });
  if (signal === 'SIGINT') process.exit(130);
  return status === 0;
}

const has = (program) => findProgram(program) !== undefined;

/** Asks the system's own Python first: agents can't see one in somebody's home. */
function canImport(module) {
  const python = ['/usr/bin/python3', 'python3'].find((one) => one === 'python3' || existsSync(one));
  return spawnSync(python, ['-c', `import ${module}`], { stdio: 'ignore', timeout: 30_000 }).status === 0;
}

/** The headers of the system's own Python; other Pythons bring theirs along. */
function hasPythonHeaders() {
  const code = 'import os, sysconfig; assert os.path.exists(os.path.join(sysconfig.get_path("include"), "Python.h"))';
  const python = existsSync('/usr/bin/python3') ? '/usr/bin/python3' : 'python3';
  return spawnSync(python, ['-c', code], { stdio: 'ignore', timeout: 30_000 }).status === 0;
}

/** The words of ID and ID_LIKE: `debian`, or `ubuntu debian`. */
export function distribution() {
  if (!existsSync('/etc/os-release')) return [];
  return readFileSync('/etc/os-release', 'utf8')
    .split('\n')
    .filter((line) => /^ID(_LIKE)?=/.test(line))
    .flatMap((line) => line.replace(/^\w+=/, '').replaceAll('"', '').split(' '));
}
