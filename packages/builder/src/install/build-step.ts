import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { removeTree } from '@paddock/safe-files';
import { BuildError } from '../build-error.ts';
import type { Plan } from '../plan.ts';
import type { Mount } from '../step.ts';
import { watchFonts } from './absent-fonts.ts';
import { hostCommand } from './host-command.ts';
import { publish } from './layers.ts';
import { nodeEnv } from './node-env.ts';
import { runCommand } from './run-step.ts';
import type { StartParts } from './start-tools.ts';
import type { StepContext } from './step-context.ts';
import type { Tool } from './tool.ts';
import type { ToolName, ToolStore } from './tools.ts';
import { watchTypes } from './type-errors.ts';

export interface BuildStepRequest {
  plan: Plan;
  appDir: string;
  /** Folder of the artifact under construction. A changed copy of node_modules goes there. */
  draft: string;
  parts: StartParts;
  layers: Mount[];
  cache: Mount;
  tools: ToolStore;
  /** Variables that the user marked for builds. */
  buildEnv: Record<string, string> | undefined;
  context: StepContext;
  say: (text: string) => void;
  warn: (text: string) => void;
}

export interface Built {
  /** The mounts that the agent gets in place of `layers`. */
  mounts: Mount[];
  /** The build did without something that it could not fetch. */
  isIncomplete: boolean;
}

/** Builds the copied source if the plan has a build. */
export async function buildStep(request: BuildStepRequest): Promise<Built> {
  const { plan, appDir, draft, parts, layers, cache, tools, buildEnv, context, say, warn } = request;
  if (plan.build === null) return { mounts: layers, isIncomplete: false };
  const root = plan.root === '' ? '/app' : `/app/${plan.root}`;
  const manager = await packageManagerFor(plan, tools);
  const base = parts.node === null ? { PATH: '/usr/local/bin:/usr/bin:/bin' } : nodeEnv(parts.node, manager);
  const top = plan.install?.folder === undefined ? root : join('/app', plan.install.folder);
  const bins = [...new Set([`${root}/node_modules/.bin`, `${top}/node_modules/.bin`]), `${top}/.venv/bin`];
  const env = { ...base, ...plan.env, CI: 'true', ...buildEnv, PATH: `${bins.join(':')}:${base.PATH}` };
  const tooling = [cache, ...parts.mounts, ...(manager?.mounts ?? [])];
  const fonts = watchFonts(context);
  const run = { plan, command: plan.build, appDir, draft, mounts: [...layers, ...tooling], env, context: fonts.context, say, warn };
  const withoutTooling = (mounts: Mount[]) => mounts.filter((m) => !tooling.includes(m));
  try {
    return { mounts: withoutTooling(await runBuild({ ...run, hasOtherAttempt: fonts.isFound })), isIncomplete: false };
  } catch (error) {
    if (!(error instanceof BuildError) || !fonts.isFound()) throw error;
    say(`${error.message} Building without Google’s fonts …`);
  }
  const mounts = withoutTooling(await runBuild({ ...run, context, env: { ...env, ...fonts.env() }, hasOtherAttempt: () => false }));
  warn(fonts.warning());
  return { mounts, isIncomplete: true };
}

const managers = ['npm', 'pnpm', 'yarn', 'bun'] as const;

async function packageManagerFor({ language, install, build }: Plan, tools: ToolStore): Promise<Tool | null> {
  if (language !== 'node') return null;
  // Without dependencies nothing is installed, and the build may still be run by another manager.
  if (install === null) return tools.packageManager(managers.find((name) => name === build?.[0]) ?? 'npm');
  return tools.packageManager(install.manager as ToolName, install.manager_version);
}

interface BuildRun extends Pick<BuildStepRequest, 'plan' | 'appDir' | 'draft' | 'context' | 'say' | 'warn'> {
  command: string[];
  /** Languages, managers and layers. */
  mounts: Mount[];
  env: Record<string, string>;
  hasOtherAttempt: () => boolean;
}

/**
 * Runs the build in the copied source. The layer of node_modules is shared and build tools write into it, so the build gets a copy. The
 * copy is kept with the artifact only if the build changed more in it than caches (a generated client, for example).
 */
async function runBuild({ plan, command, appDir, draft, mounts, env, hasOtherAttempt, context, say, warn }: BuildRun): Promise<Mount[]> {
  const shared = mounts.find((m) => m.at.endsWith('/node_modules'));
  const copy = join(draft, 'node_modules');
  const own: Mount[] = [];
  if (shared !== undefined) {
    await removeTree(copy);
    await hostCommand('cp', ['-a', '--reflink=auto', '--', shared.from, copy], { signal: context.signal });
    own.push({ from: copy, at: shared.at, writable: true });
  }
  const begun = Date.now();
  say(`Building with ${command.join(' ')} …`);
  const types = watchTypes(context, plan, appDir);
  const building = runCommand(types.context, {
    step: 'build',
    doing: `running the build command (${command.join(' ').slice(0, 100)})`,
    command,
    cwd: plan.root === '' ? '/app' : `/app/${plan.root}`,
    env,
    mounts: [{ from: appDir, at: '/app', writable: true }, ...mounts.filter((m) => m !== shared), ...own],
    language: plan.language,
    hasOtherAttempt,
    credentials: false,
  });
  await building.catch((error: unknown) => {
    const tolerated = error instanceof BuildError && error.code === 'build_failed' ? types.tolerate() : undefined;
    if (tolerated === undefined) throw error;
    warn(tolerated);
  });
  if (shared === undefined) return mounts;
  if (await changedSince(copy, begun)) return mounts.map((m) => (m === shared ? { from: copy, at: m.at } : m));
  await removeTree(copy);
  return mounts;
}

/** Whether any file was written since `time`, apart from files in the caches of tools. */
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
    { signal: AbortSignal.timeout(60_000) },
  );
  return found.trim() !== '';
}

/**
 * Renames the finished draft to its final place, where it never changes again. If two builders make the same artifact, the first one wins.
 */
export async function finish(draft: string, home: string, isComplete: () => Promise<boolean>): Promise<void> {
  await publish(draft, home);
  if (!existsSync(draft) || (await isComplete())) return;
  // The existing artifact has lost its layers, so no deployment uses it.
  const gone = `${home}.gone-${randomUUID()}`;
  await rename(home, gone);
  await rename(draft, home);
  await removeTree(gone);
}
