import { run } from '../process/host/run.ts';
import { words } from '../process/sandbox/bwrap.ts';

/**
 * A machine with its own network: a loopback, an outside address, and only the given rules. Control groups are not visible there.
 * Everything that runs on it ends with it.
 */
const MACHINE = `
umount --recursive --lazy /sys
mount -t sysfs sysfs /sys
mount -t tmpfs tmpfs /run
ip link set lo up
ip link add outside type veth peer name beyond
ip addr add 203.0.113.7/24 dev outside
ip link set outside up
ip link set beyond up
nft -f -
exec "$@"
`;

/** Runs a module there as root, and returns its output, which must be JSON. */
export async function onMachineOfItsOwn(code: string, rules = ''): Promise<unknown> {
  const node = [process.execPath, '--input-type=module', '--eval', code];
  const machine = [...words('--net --mount --pid --fork --kill-child --mount-proc'), 'sh', '-euc', MACHINE, 'sh', ...node];
  const { stdout } = await run('unshare', machine, { stdin: rules, timeoutMs: 30_000 });
  return JSON.parse(stdout);
}
