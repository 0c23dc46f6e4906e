import { accessSync, constants, existsSync, readFileSync, rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Probe } from '../driver.ts';
import { type Host, type HostOptions, thisHost } from './host/host.ts';
import { run, toolEnvironment } from './host/run.ts';
import { hostResolvers } from './network/egress.ts';
import { stepRunner } from './steps.ts';

/** The tools that a start uses, and the Debian packages that contain them. */
const TOOLS: Record<'root' | 'user' | 'unsandboxed', Record<string, string>> = {
  unsandboxed: { sh: 'dash', cp: 'coreutils', du: 'coreutils', mkfifo: 'coreutils', fallocate: 'util-linux', setpriv: 'util-linux' },
  root: { bwrap: 'bubblewrap', nft: 'nftables', ip: 'iproute2', nsenter: 'util-linux', unshare: 'util-linux', mount: 'mount' },
  user: { bwrap: 'bubblewrap', nft: 'nftables', pasta: 'passt', nsenter: 'util-linux', prlimit: 'util-linux' },
};
const INSTALL = 'apt-get install -y bubblewrap nftables passt iproute2';

/**
 * Tests whether and how this machine can run agents in isolation. If it cannot, `remedy` tells the operator what to do, with the command to
 * type. Leaves nothing behind.
 */
export async function probe(options: HostOptions): Promise<Probe> {
  if (process.platform !== 'linux') {
    return refusal(
      `Running agents needs Linux; this is ${process.platform}.`,
      'Run the platform on a Linux machine, in a virtual machine or on a server.',
    );
  }
  const dataDir = join(options.dataDir, 'probe');
  const host = thisHost({ ...options, dataDir });
  try {
    const missing = missingTools(host.mode);
    if (missing.length > 0) {
      return refusal(
        `These tools are missing: ${missing.map(([tool]) => tool).join(', ')}.`,
        `${asRoot(host)}${INSTALL} (on other systems the packages that have them)`,
      );
    }
    const blocked = host.mode === 'unsandboxed' ? undefined : blockedBySystem(host);
    if (blocked) return blocked;
    const failure = await tryStep({ ...options, dataDir });
    if (failure !== undefined) return explain(host, failure);
    return { ok: true, isolated: host.mode !== 'unsandboxed', details: await describe(host), warnings: warnings(host) };
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** Runs a command in a real sandbox, set up like an agent's. Returns the error, or undefined if there was none. */
async function tryStep(options: HostOptions): Promise<string | undefined> {
  const lines: string[] = [];
  try {
    const result = await stepRunner(options).run(
      {
        name: 'probe',
        command: ['/bin/sh', '-c', 'exit 0'],
        cwd: '/',
        env: {},
        mounts: [],
        limits: { memory_mb: 64, cpus: 1, processes: 16, disk_mb: 16, open_files: 64 },
        timeout_ms: 10_000,
        egress: { allow: [] },
        registries: [],
      },
      (_, line) => lines.push(line),
      AbortSignal.timeout(20_000),
    );
    return result.code === 0 ? undefined : lines.join('\n') || `It ended with ${result.signal ?? result.code}.`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function blockedBySystem(host: Host): Probe | undefined {
  const limit = read('/proc/sys/user/max_user_namespaces');
  if (limit === '0' || read('/proc/sys/kernel/unprivileged_userns_clone') === '0') {
    const setting = limit === '0' ? 'user.max_user_namespaces=15000' : 'kernel.unprivileged_userns_clone=1';
    return refusal('The kernel is set to refuse user namespaces.', `${asRoot(host)}sysctl -w ${setting}`);
  }
  if (host.mode !== 'user') return undefined;
  try {
    accessSync('/dev/net/tun', constants.R_OK | constants.W_OK);
    return undefined;
  } catch {
    const command = existsSync('/dev/net/tun') ? 'chmod 0666 /dev/net/tun' : 'modprobe tun && chmod 0666 /dev/net/tun';
    return refusal(
      'Agents of an ordinary user need /dev/net/tun for their network, and this user may not open it.',
      `sudo sh -c '${command}'`,
    );
  }
}

/** Explains the error messages of the tools. */
function explain(host: Host, failure: string): Probe {
  const restricted = read('/proc/sys/kernel/apparmor_restrict_unprivileged_userns') === '1';
  if (restricted && /RTM_NEWADDR|uid map|Permission denied|EACCES|Operation not permitted/.test(failure)) {
    return refusal(
      'AppArmor on this system keeps bubblewrap from making user namespaces.',
      'sudo apt-get install -y apparmor-profiles apparmor-utils && sudo install -m644 /usr/share/apparmor/extra-profiles/bwrap-userns-restrict /etc/apparmor.d/ && sudo apparmor_parser -r /etc/apparmor.d/bwrap-userns-restrict',
    );
  }
  if (/No external routable interface|External interface not usable/.test(failure)) {
    return refusal(
      'This machine has no route to other networks, which the network of an ordinary user’s agents begins with.',
      'Connect the machine to its network (a default route in `ip route`). Paddock looks again every half minute.',
    );
  }
  if (/nft|netlink|nf_tables/i.test(failure)) {
    return refusal(
      `The network of a sandbox could not be filtered: ${failure}`,
      `${asRoot(host)}modprobe -a nf_tables nft_ct nft_nat nft_masq nft_reject_inet`,
    );
  }
  if (/No space left|ENOSPC/.test(failure)) {
    return refusal(
      `No further namespace could be made: ${failure}`,
      `${asRoot(host)}sysctl -w user.max_user_namespaces=15000 user.max_net_namespaces=15000`,
    );
  }
  return refusal(
    `A sandbox could not be started: ${failure}`,
    'Inside a container, give it the right to make namespaces (for Docker: --privileged); otherwise set PADDOCK_UNSANDBOXED=1 to run only code that you trust, without isolation.',
  );
}

async function describe(host: Host): Promise<Record<string, string>> {
  const version = host.mode === 'unsandboxed' ? 'none' : (await run('bwrap', ['--version'])).stdout.trim();
  const network = { root: 'a network namespace per agent', user: 'pasta', unsandboxed: 'the network of the host' };
  const user = { root: 'a user id per agent', user: 'a user namespace per agent', unsandboxed: 'the user of the platform' };
  return {
    sandbox: version,
    network: network[host.mode],
    user: user[host.mode],
    limits: host.cgroups ? `control groups, version ${host.cgroups.version}` : 'process limits and watching',
    name_servers: hostResolvers().join(', ') || 'none',
  };
}

function warnings(host: Host): string[] {
  const found: string[] = [];
  if (host.mode === 'unsandboxed') return ['Agents run without any isolation: each can read and change what the platform can.'];
  if (!host.cgroups) found.push('Control groups cannot be used: the CPU share of agents is not limited, memory only by watching.');
  if (hostResolvers().length === 0) found.push('This machine names no IPv4 name server: agents cannot resolve names.');
  return found;
}

function missingTools(mode: Host['mode']): [tool: string, from: string][] {
  const folders = toolEnvironment.PATH.split(delimiter);
  const wanted = { ...TOOLS.unsandboxed, ...TOOLS[mode] };
  return Object.entries(wanted).filter(([tool]) => !folders.some((folder) => existsSync(join(folder, tool))));
}

const refusal = (reason: string, remedy: string): Probe => ({ ok: false, reason, remedy });
const asRoot = (host: Host) => (host.mode === 'root' ? '' : 'sudo ');

function read(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined;
}
