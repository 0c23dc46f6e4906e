import { quoteName } from '../build-error.ts';
import type { Mount } from '../step.ts';
import { hostCommand } from './host-command.ts';

const told = 3;
/** Maximum depth of packages: lib/python3.12/site-packages/NAME, uv/archive-v0/KEY/NAME. */
const depth = 4;
const countMs = 30_000;
/** Smaller folders do not fill a disk, and the limit keeps the output of `du` small. */
const minBytes = 1024 ** 2;

/** A package or folder, and its size. */
interface Large {
  name: string;
  bytes: number;
}

/** The largest entries of the folders that a step could change: packages if any are recognized, otherwise folders. */
export async function findLargest(mounts: readonly Mount[], cwd: string): Promise<Large[]> {
  if (mounts.length === 0) return [];
  const args = ['-0', '-x', '--block-size=1', `--max-depth=${depth}`, `--threshold=${minBytes}`, '--', ...mounts.map((m) => m.from)];
  const printed = await hostCommand('du', args, { cwd, signal: AbortSignal.timeout(countMs), timeoutMs: countMs });
  const entries = printed
    .split('\0')
    .filter((line) => line.includes('\t'))
    .map((line) => ({ bytes: Number.parseInt(line, 10), path: line.slice(line.indexOf('\t') + 1) }));
  const packages = largest(entries.flatMap(({ path, bytes }) => asLarge(packageIn(path), bytes)));
  return packages.length > 0 ? packages : largest(entries.flatMap(({ path, bytes }) => asLarge(folderIn(path, mounts), bytes)));
}

const asLarge = (name: string | undefined, bytes: number): Large[] => (name === undefined ? [] : [{ name: plain(name), bytes }]);

/** Names come from strangers: only names of the usual letters are shown without quotes. */
const plain = (name: string) => (/^[\w@/.+-]{1,100}$/.test(name) ? name : quoteName(name));

/** A package can be both in the cache and in the environment. It is listed once, with the larger size. */
function largest(found: Large[]): Large[] {
  const byName = new Map<string, number>();
  for (const { name, bytes } of found) byName.set(name, Math.max(bytes, byName.get(name) ?? 0));
  return [...byName]
    .map(([name, bytes]) => ({ name, bytes }))
    .sort((a, b) => b.bytes - a.bytes)
    .slice(0, told);
}

function packageIn(path: string): string | undefined {
  const parts = path.split('/');
  const [last = '', before, third] = [parts.at(-1), parts.at(-2), parts.at(-3)];
  const isPlace = (part: string | undefined) => part === 'node_modules' || part === 'site-packages';
  if (third === 'node_modules' && before?.startsWith('@') === true) return `${before}/${last}`;
  if (third === 'archive-v0') return last;
  return isPlace(before) && !last.startsWith('@') && !last.startsWith('.') ? last : undefined;
}

/** A folder directly inside a mount, as the step sees it. */
function folderIn(path: string, mounts: readonly Mount[]): string | undefined {
  const mount = mounts.find(({ from }) => path.startsWith(`${from}/`));
  if (mount === undefined) return undefined;
  const inside = path.slice(mount.from.length + 1);
  return inside.includes('/') ? undefined : `${mount.at}/${inside}`;
}
