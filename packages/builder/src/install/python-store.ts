import { cp, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { BuildError } from '../build-error.ts';
import type { PythonToolchain, Toolchains } from '../detect/toolchains.ts';
import type { Plan } from '../plan.ts';
import type { Mount } from '../step.ts';
import { hostCommand } from './host-command.ts';
import type { Tool } from './tool.ts';
import { readPythonVersion } from './toolchain.ts';

/** A Python is about 30 MB. */
const pythonMs = 300_000;

/** A Python as a step or an agent sees it. */
export interface Interpreter {
  version: string;
  path: string;
  mounts: Mount[];
  warning?: string;
}

const pythonAt = '/opt/paddock/python';

interface Deps {
  toolchains: Toolchains;
  /** Returns the folder of that name and fills it the first time. */
  kept: (name: string, fill: (draft: string) => Promise<unknown>) => Promise<string>;
  uv: () => Promise<Tool | null>;
  signal: AbortSignal;
}

/** Finds the Python of a plan: the system's, a copy of the user's own, or one that uv downloads once for all agents. */
export function createPythonStore({ toolchains, kept, uv, signal }: Deps) {
  return ofPlan;

  /**
   * The Python of a plan: the system's own, a copy of the user's, or another minor version. If that cannot be downloaded, the plan's
   * fallback with a warning.
   */
  async function ofPlan({ version = '', fallback_version }: Plan, say: (text: string) => void): Promise<Interpreter> {
    const present = toolchains.python.find((each) => each.version === version);
    if (present !== undefined) return presentPython(present);
    const minor = Number(/^3\.(\d+)$/.exec(version)?.[1]);
    if (!toolchains.pythonMinors.includes(minor))
      throw new BuildError('install', 'python_missing', {
        message: `Python ${version} is no longer on this machine.`,
        hint: 'Deploy again.',
      });
    try {
      const home = await kept(`python-${version}`, (draft) => fetchPython(draft, version, say));
      return await pythonIn(join(home, 'python'));
    } catch (error) {
      signal.throwIfAborted();
      const other = toolchains.python.find((each) => each.version === fallback_version);
      const reason = (error as Error).message;
      if (other !== undefined)
        return {
          ...(await presentPython(other)),
          warning: `Python ${version} could not be fetched (${reason}); ${other.version} is used.`,
        };
      throw new BuildError('install', 'python_unavailable', {
        message: `The agent asks for Python ${version}, which is not on this machine and could not be fetched: ${reason}`,
        hint: `Try again, ask the operator to install Python ${version} or to name a mirror (UV_PYTHON_INSTALL_MIRROR), or ask for one that is here: ${toolchains.python.map((each) => each.version).join(', ')}.`,
        cause: error,
      });
    }
  }

  async function presentPython({ version, path, home }: PythonToolchain): Promise<Interpreter> {
    if (home === undefined) return { version, path, mounts: [] };
    const copy = await kept(`python-${version}-own`, (draft) =>
      cp(home, join(draft, 'python'), { recursive: true, verbatimSymlinks: true }),
    );
    // The path that the Python was built for. Some Pythons find their library only there.
    return pythonIn(join(copy, 'python'), home);
  }

  async function pythonIn(home: string, at = pythonAt): Promise<Interpreter> {
    const version = await readPythonVersion(join(home, 'bin/python3'), signal);
    if (version === null) throw new Error('what was fetched does not run on this machine');
    return { version, path: `${at}/bin/python3`, mounts: [{ from: home, at }] };
  }

  /** uv finds the Python, also at a mirror or behind a proxy set in its variables, and refuses a file whose hash differs from its list. */
  async function fetchPython(draft: string, version: string, say: (text: string) => void): Promise<void> {
    const found = await uv();
    const uvFile = found?.mounts[0] && join(found.mounts[0].from, 'uv');
    if (uvFile === undefined) throw new Error('uv, which fetches it, could not be fetched');
    say(`Fetching Python ${version}, once for all agents …`);
    const to = join(draft, 'fetched');
    const args = [
      'python',
      'install',
      '--install-dir',
      to,
      '--no-bin',
      '--no-config',
      '--no-progress',
      '--cache-dir',
      join(draft, 'cache'),
      '--',
      version,
    ];
    await hostCommand(uvFile, args, { signal, timeoutMs: pythonMs, cwd: draft }).catch((error: Error) => {
      throw new Error(formatCauses(error), { cause: error });
    });
    const [name] = (await readdir(to, { withFileTypes: true })).filter((entry) => entry.isDirectory() && entry.name.startsWith('cpython-'));
    if (name === undefined) throw new Error('uv left no Python');
    await rename(join(to, name.name), join(draft, 'python'));
    await rm(to, { recursive: true });
    await rm(join(draft, 'cache'), { recursive: true, force: true });
  }
}

/** The causes in uv's message, without the name and password that a mirror's address may contain. */
function formatCauses(error: Error): string {
  const said = error.cause instanceof Error ? error.cause.message : '';
  const causes = said
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.startsWith('cause:'))
    .map((line) => line.slice('cause:'.length).trim());
  const text = causes.length > 0 ? causes.join(': ') : 'uv failed';
  return text.replaceAll(/\/\/[^/@\s]{1,200}@/g, '//').slice(0, maxReasonLength);
}

const maxReasonLength = 500;
