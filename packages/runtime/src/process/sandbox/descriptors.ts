import { readdirSync, readFileSync } from 'node:fs';

const CLOSE_ON_EXEC = 0o2_000_000;
const MAX_DESCRIPTOR = 1023;

/**
 * The `stdio` entries from 3 on that keep a child from inheriting descriptors which this process itself inherited, since Node passes those
 * on. Each is replaced by `nothing` (a descriptor of /dev/null).
 */
export function maskInheritedFds(nothing: number): ('ignore' | number)[] {
  const strays = readdirSync('/proc/self/fd')
    .map(Number)
    .filter((descriptor) => descriptor > 2 && descriptor <= MAX_DESCRIPTOR && isInherited(descriptor));
  return Array.from({ length: Math.max(2, ...strays) - 2 }, (_, index) => (strays.includes(index + 3) ? nothing : 'ignore'));
}

function isInherited(descriptor: number): boolean {
  try {
    const flags = /^flags:\s*([0-7]+)$/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'utf8'))?.[1] ?? '0';
    return (Number.parseInt(flags, 8) & CLOSE_ON_EXEC) === 0;
  } catch {
    return false; // the descriptor that listed the folder is already closed
  }
}
