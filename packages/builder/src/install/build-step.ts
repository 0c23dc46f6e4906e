import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { removeTree } from '@paddock/safe-files';
import type { Plan } from '../plan.ts';
import type { Mount } from '../step.ts';
import { hostCommand } from './host-command.ts';
import { publish } from './layers.ts';
import { runCommand, type StepContext } from './run-step.ts';

export interface BuildStepRequest {
  plan: Plan;
  command: string[];
  appDir: string;
  /** Where the artifact is being put together; a changed copy of node_modules goes there. */
  draft: string;
  /** Languages, managers and layers. */
  mounts: Mount[];
  env: Record<string, string>;
  context: StepContext;
  say: (text: string) => void;
}

/**
 * Runs the build in the source copy. Build tools write into node_modules, which is shared: they get a copy, and only what
 * they really changed there (a generated client, say) is kept with the artifact. Returns the mounts that the agent gets.
 */
export async function runBuild({ plan, command, appDir, draft, mounts, env, context, say }: BuildStepRequest): Promise<Mount[]> {
  const shared = mounts.find((m) => m.at.endsWith('/node_modules'));
  const copy = join(draft, 'node_modules');
  const own: Mount[] = [];
  if (shared !== undefined) {
    await hostCommand('cp', ['-a', '--reflink=auto', '--', shared.from, copy], { signal: context.signal });
    own.push({ from: copy, at: shared.at, writable: true });
  }
  const begun = Date.now();
  say(`Building with ${command.join(' ')} …`);
  await runCommand(context, {
    step: 'build',
    doing: 'The build',
    command,
    cwd: plan.root === '' ? '/app' : `/app/${plan.root}`,
    env,
    mounts: [{ from: appDir, at: '/app', writable: true }, ...mounts.filter((m) => m !== shared), ...own],
    credentials: false,
  });
  if (shared === undefined) return mounts;
  if (await changedSince(copy, begun)) return mounts.map((m) => (m === shared ? { from: copy, at: m.at } : m));
  await removeTree(copy);
  return mounts;
}

/** Whether anything but a tool's cache was written since; looks at folders of packages and one level below. */
async function changedSince(folder: string, time: number): Promise<boolean> {
  const found = await hostCommand(
    'find',
    [
      folder,
      '-mindepth',
      '1',
      '(',
      '-name',
      '.cache',
      '-o',
      '-name',
      '.vite*',
      ')',
      '-prune',
      '-o',
      '-type',
      'f',
      '-newermt',
      `@${Math.floor(time / 1000) - 1}`,
      '-print',
      '-quit',
    ],
    {
      signal: AbortSignal.timeout(60_000),
    },
  );
  return found.trim() !== '';
}

/** Puts the finished draft in its place, where it is never changed again. Of two builders of the same the first one counts. */
export async function finish(draft: string, home: string, isComplete: () => Promise<boolean>): Promise<void> {
  await publish(draft, home);
  if (!existsSync(draft) || (await isComplete())) return;
  // What stands in the way has lost its layers, so no deployment uses it.
  const gone = `${home}.gone-${randomUUID()}`;
  await rename(home, gone);
  await rename(draft, home);
  await removeTree(gone);
}
