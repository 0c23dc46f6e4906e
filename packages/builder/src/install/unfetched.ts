import { join } from 'node:path';
import { readTextBelow, removeTree } from '@paddock/safe-files';
import { BuildError } from '../build-error.ts';
import type { UnfetchedPackage } from '../plan.ts';
import { explain } from './explain-failure.ts';
import { nodeEnv } from './node-env.ts';
import type { PackagesRequest } from './packages-request.ts';
import { unreachedPattern } from './reasons/network.ts';

/** Written by `run_script.mjs` into the folder of package.json: an object per package, on a line of its own. */
const listName = '.paddock-unfetched.jsonl';
const maxListBytes = 1024 ** 2;
const maxListed = 20;

/**
 * Installs once more after a package's install script could not fetch a program from another host. Packages that can be compiled instead
 * get the headers of Node. Scripts of others may fail: many agents never use that program. Each package without it is named in a warning.
 */
export async function installUnfetched(
  parts: PackagesRequest,
  first: BuildError,
  attempt: (parts: PackagesRequest) => Promise<void>,
): Promise<void> {
  const { request, tree, folder, cwd, node, manager } = parts;
  const { context, say, tools } = request;
  say(`${first.message} Trying without it …`);
  const headers = first.tail.some((line) => line.includes('gyp ')) ? await tools.nodeHeaders(node.version) : null;
  const mounts = headers === null ? parts.mounts : [...parts.mounts, headers];
  const file = join(folder, listName);
  const env = {
    ...parts.env,
    PATH: `/opt/paddock/launchers/unfetched/bin:${nodeEnv(node, manager).PATH}`,
    PADDOCK_UNREACHED: unreachedPattern,
    PADDOCK_UNFETCHED: join(cwd, listName),
    ...(headers === null ? {} : { npm_config_nodedir: headers.at }),
    ...(request.install.manager === 'pnpm' ? buildAlways : {}),
  };
  try {
    await attempt({ ...parts, mounts, env, isUnfetched: true });
    const found = parseList((await readTextBelow(tree, file, maxListBytes)) ?? '');
    if (found.length === 0) return;
    parts.warn(unfetchedWarning(found));
    parts.markIncomplete(found);
  } catch (again) {
    context.signal.throwIfAborted();
    if (!(again instanceof BuildError)) throw again;
    say('That failed, too.');
    // A package that has to be compiled here, for example, and cannot be: that is the cause then.
    throw again.code === 'install_failed' ? again : first;
  } finally {
    await removeTree(join(tree, file));
  }
}

/** pnpm would keep the package without its program, and take it so for the next build. */
const buildAlways = { npm_config_side_effects_cache: 'false', pnpm_config_side_effects_cache: 'false' };

/** The code of packages may have written anything into the list. */
function parseList(text: string): UnfetchedPackage[] {
  const found = new Map<string, string>();
  for (const line of text.split('\n').slice(0, maxListed)) {
    const [name, lines] = parseEntry(line);
    if (name !== undefined) found.set(name, explain(lines).reason);
  }
  return [...found].map(([name, reason]) => ({ name, reason }));
}

function parseEntry(line: string): [name: string | undefined, lines: string[]] {
  try {
    const entry = JSON.parse(line) as { name?: unknown; lines?: unknown } | null;
    const name = String(entry?.name);
    const lines = Array.isArray(entry?.lines) ? entry.lines.map(String) : [];
    return [/^(?:@[\w.-]{1,100}\/)?[\w.-]{1,100}$/.test(name) ? name : undefined, lines];
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return [undefined, []];
  }
}

function unfetchedWarning(found: UnfetchedPackage[]): string {
  const names = found.map(({ name }) => name).join(', ');
  const reasons = [...new Set(found.map(({ reason }) => reason))].join(' ');
  const what =
    found.length === 1 ? 'is installed without what its install script fetches' : 'are installed without what their install scripts fetch';
  return `${names} ${what}. ${reasons} Where the agent needs it, it will fail: ask the operator to let builds reach that host, and deploy again.`;
}
