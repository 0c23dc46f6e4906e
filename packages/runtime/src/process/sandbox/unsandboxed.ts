import { mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Folder, SandboxRecord } from '../records/records.ts';
import { sandboxEnvironment } from './bwrap.ts';
import type { LaunchSpec } from './launch-spec.ts';

/**
 * Environment variable that marks the processes of an unsandboxed instance. Nothing else distinguishes them from others of the same user.
 */
export const INSTANCE_MARK = 'PADDOCK_INSTANCE';

/**
 * The same command as a plain process of the host. There are no mounts: paths of the sandbox in the command and the environment are
 * replaced by the host's paths, and mounts below /app become links.
 */
export function hostProcess(
  folder: Folder,
  record: SandboxRecord,
  launch: LaunchSpec,
): { command: string[]; env: Record<string, string>; directory: string } {
  const places = [
    ...launch.mounts.map(({ from, at }) => ({ from, at })),
    ...(launch.hasApp ? [{ from: folder.app, at: '/app' }] : []),
    { from: folder.home, at: '/home/agent' },
  ].sort((a, b) => b.at.length - a.at.length);
  if (launch.hasApp) {
    for (const { from, at } of launch.mounts.filter((mount) => mount.at.startsWith('/app/'))) {
      const link = join(folder.app, at.slice('/app/'.length));
      mkdirSync(dirname(link), { recursive: true });
      symlinkSync(from, link);
    }
  }
  const real = (text: string) => places.reduce((result, { from, at }) => replacePath(result, at, from), text);
  const port = record.host_port === undefined ? {} : { PORT: String(record.host_port) };
  const env = { ...sandboxEnvironment(launch.env), TMPDIR: folder.tmp, ...port, [INSTANCE_MARK]: record.id };
  return {
    command: launch.command.map(real),
    env: Object.fromEntries(Object.entries(env).map(([name, value]) => [name, real(value)])),
    directory: real(launch.cwd),
  };
}

/** Replaces `at` if it is a whole path or the first part of a path: /app is not replaced in /application. */
function replacePath(text: string, at: string, from: string): string {
  let result = '';
  let done = 0;
  for (let found = text.indexOf(at); found >= 0; found = text.indexOf(at, Math.max(done, found + 1))) {
    const before = text[found - 1] ?? '';
    const after = text[found + at.length] ?? '';
    if (/[\w./-]/.test(before) || /[\w.-]/.test(after)) continue;
    result += text.slice(done, found) + from;
    done = found + at.length;
  }
  return result + text.slice(done);
}
