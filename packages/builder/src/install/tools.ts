import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, rm, symlink } from 'node:fs/promises';
import { arch } from 'node:os';
import { dirname, join } from 'node:path';
import { BuildError } from '../build-error.ts';
import type { Toolchains } from '../detect/toolchains.ts';
import type { Mount } from '../step.ts';
import { fetchWheel } from './fetch-wheel.ts';
import { hostCommand } from './host-command.ts';
import { launchers } from './launchers.ts';
import { publish } from './layers.ts';
import { fillNodeHeaders } from './node-headers.ts';
import { createPythonStore } from './python-store.ts';
import type { Tool } from './tool.ts';
import { isForAll } from './toolchain.ts';

/** Pinned versions; an update is a change to this table. npm 12 would not run install scripts, so npm stays at 11. */
const pinned = {
  npm: '11.21.2',
  pnpm: '10.34.8',
  yarn: '1.22.22',
  'yarn-berry': '4.18.1',
  bun: '1.4.5',
  uv: '0.13.8',
  tsx: '4.23.15',
} as const;
const npmName = {
  npm: 'npm',
  pnpm: 'pnpm',
  yarn: 'yarn',
  'yarn-berry': '@yarnpkg/cli-dist',
  bun: `@oven/bun-linux-${arch() === 'arm64' ? 'aarch64' : 'x64'}`,
} as const;

export type ToolName = keyof typeof npmName;

/** The folder of the tools of an installation, and of the facts cached about the machine's own tools. */
export const toolsFolder = (dataDir: string) => join(dataDir, 'tools');

/** Downloads tools once into `toolsFolder`, with the host's own package clients. */
export function toolStore(dataDir: string, toolchains: Toolchains, signal: AbortSignal) {
  const folder = toolsFolder(dataDir);
  const python = createPythonStore({ toolchains, kept, uv, signal });
  return { node, nodeHeaders, python, packageManager, tsx, uv, launchers: () => launchers(kept) };

  /** Node itself: the platform's own, or another major. If the other major cannot be downloaded, the platform's own with a warning. */
  async function node(version: string): Promise<Tool & { warning?: string }> {
    if (version === toolchains.node.version) return ownNode();
    try {
      const home = await kept(`node-${version}`, (draft) => fetchFromNpm(draft, `node-linux-${arch()}@${version}`, signal));
      const inside = join(home, 'node_modules', `node-linux-${arch()}`, 'bin');
      const exact = (await hostCommand(join(inside, 'node'), ['--version'], { signal })).trim().slice(1);
      return { version: exact, mounts: [{ from: inside, at: '/opt/paddock/node' }], path: '/opt/paddock/node' };
    } catch (error) {
      signal.throwIfAborted();
      const own = await ownNode();
      return { ...own, warning: `Node ${version} could not be fetched (${(error as Error).message}); Node ${own.version} is used.` };
    }
  }

  async function ownNode(): Promise<Tool> {
    const { path, version } = toolchains.node;
    const open = await isForAll(path);
    const home = open ? dirname(path) : await kept(`node-${version}-own`, (draft) => copyFile(path, join(draft, 'node')));
    return { version, mounts: [{ from: home, at: '/opt/paddock/node' }], path: '/opt/paddock/node' };
  }

  /** The headers that node-gyp compiles packages with (`nodedir`). Null if neither the machine nor a registry has them. */
  function nodeHeaders(version: string): Promise<Mount | null> {
    return orNull(signal, async () => {
      const python = toolchains.python[0]?.path;
      const fill = (draft: string) => fillNodeHeaders(draft, { version, ownPath: toolchains.node.path, python, signal });
      const home = await kept(`node-headers-${version.split('.', 1)[0]}`, fill);
      return { from: home, at: '/opt/paddock/node-headers' };
    });
  }

  /** A package manager; `wanted` is the version that the archive pins, if it does. */
  async function packageManager(name: ToolName, wanted?: string): Promise<Tool> {
    const version = wanted !== undefined && /^\d+(?:\.\d+\.\d[\w.-]*)?$/.test(wanted) ? wanted : pinned[name];
    const at = `/opt/paddock/${name}`;
    try {
      const bin = name === 'bun' ? `node_modules/${npmName.bun}/bin` : 'node_modules/.bin';
      const home = await kept(`${name}-${version}`, (draft) => fetchFromNpm(draft, `${npmName[name]}@${version}`, signal));
      if (name === 'bun') await linkBunx(join(home, bin));
      return { version, mounts: [{ from: home, at }], path: `${at}/${bin}` };
    } catch (error) {
      signal.throwIfAborted();
      throw new BuildError('install', 'tool_unavailable', {
        message: `${name} ${version} could not be fetched: ${(error as Error).message}`,
        hint: 'The machine needs to reach its npm registry once; try again.',
        cause: error,
      });
    }
  }

  /** Runs TypeScript that Node cannot read. Null if it cannot be downloaded: the agent may have its own. */
  function tsx(): Promise<Tool | null> {
    return orNull(signal, async () => {
      const home = await kept(`tsx-${pinned.tsx}`, (draft) => fetchFromNpm(draft, `tsx@${pinned.tsx}`, signal));
      return { version: pinned.tsx, mounts: [{ from: home, at: '/opt/paddock/tsx' }], path: '/opt/paddock/tsx/node_modules/.bin' };
    });
  }

  /** uv from its wheel. Null if the wheel cannot be downloaded: the caller then reports that pip is used instead. */
  async function uv(): Promise<Tool | null> {
    const own = toolchains.python[0]?.path;
    if (own === undefined) return null;
    return orNull(signal, async () => {
      const home = await kept(`uv-${pinned.uv}`, (draft) =>
        fetchWheel(draft, { python: own, spec: `uv==${pinned.uv}`, target: 'uv', signal }),
      );
      return { version: pinned.uv, mounts: [{ from: join(home, 'uv/bin'), at: '/opt/paddock/uv' }], path: '/opt/paddock/uv' };
    });
  }

  async function kept(name: string, fill: (draft: string) => Promise<unknown>): Promise<string> {
    const home = join(folder, name);
    if (existsSync(home)) return home;
    const draft = `${home}.draft-${randomUUID()}`;
    await mkdir(draft, { recursive: true, mode: 0o755 });
    try {
      await fill(draft);
      await publish(draft, home);
    } finally {
      await rm(draft, { recursive: true, force: true });
    }
    return home;
  }
}

/** `bunx` is the same program by another name, which bun's own installer makes. */
async function linkBunx(folder: string): Promise<void> {
  try {
    await symlink('bun', join(folder, 'bunx'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

async function orNull<T>(signal: AbortSignal, make: () => Promise<T>): Promise<T | null> {
  try {
    return await make();
  } catch {
    signal.throwIfAborted();
    return null;
  }
}

/** Installs a package of npm with the host's own npm: the npm that runs this process if it is known, otherwise the npm on PATH. */
async function fetchFromNpm(draft: string, spec: string, signal: AbortSignal): Promise<void> {
  const args = [
    'install',
    '--prefix',
    draft,
    '--ignore-scripts',
    '--no-save',
    '--no-audit',
    '--no-fund',
    '--no-package-lock',
    '--loglevel=error',
    '--fetch-retries=1',
    '--',
    spec,
  ];
  const script = process.env.npm_execpath;
  if (script !== undefined && /npm-cli\.[cm]?js$/.test(script))
    await hostCommand(process.execPath, [script, ...args], { signal, cwd: draft });
  else await hostCommand('npm', args, { signal, cwd: draft });
}

export type ToolStore = ReturnType<typeof toolStore>;
