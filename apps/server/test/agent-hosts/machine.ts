import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/**
 * A network namespace of its own whose name server is 127.0.0.1: nothing leaves it. Behind it are 203.0.113.8 and .9, where a server
 * responds with the address that was requested. The server ends with the namespace.
 */
const MACHINE = `
umount --recursive --lazy /sys
mount -t sysfs sysfs /sys
mount -t tmpfs tmpfs /run
mount --bind "$1" /etc/resolv.conf
ip link set lo up
ip link add outside type veth peer name beyond
ip addr add 203.0.113.7/24 dev outside
ip link set outside up
ip netns add beyond
ip link set beyond netns beyond
for host in 8 9; do ip -n beyond addr add 203.0.113.$host/24 dev beyond; done
ip -n beyond link set lo up
ip -n beyond link set beyond up
ip netns exec beyond "$2" -e "$3" >/dev/null 2>&1 &
shift 3
exec "$@"
`;
const BEYOND = `http.createServer((_, answer) => answer.setHeader('connection', 'close').end(answer.socket.localAddress)).listen(80, '0.0.0.0')`;

/** Runs a TypeScript program there, as root, and returns the JSON on the last line that it prints. */
export async function onMachineWithHosts(program: string): Promise<unknown> {
  const folder = mkdtempSync(join(tmpdir(), 'paddock-names-'));
  try {
    const resolvers = join(folder, 'resolv.conf');
    writeFileSync(resolvers, 'nameserver 127.0.0.1\n', { mode: 0o644 });
    const machine = ['--net', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc', 'sh', '-euc', MACHINE, 'sh'];
    const { stdout } = await promisify(execFile)('unshare', [...machine, resolvers, process.execPath, BEYOND, process.execPath, program], {
      timeout: 600_000,
      killSignal: 'SIGKILL',
      maxBuffer: 1 << 20,
      env: withoutDatabase(),
    });
    return JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The test command's database is unreachable there: the program starts its own. */
function withoutDatabase(): NodeJS.ProcessEnv {
  const { PADDOCK_TEST_DATABASE_URL: _, PADDOCK_TEST_TEMPLATE: __, ...env } = process.env;
  return env;
}
