import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile, rename, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { BuildError } from '../build-error.ts';
import type { Mount } from '../step.ts';
import { cacheEnv } from './cache.ts';
import type { Installed, InstallRequest } from './install.ts';
import { digests } from './install-python.ts';
import { layerKey, takeLayer } from './layers.ts';
import { runCommand, type StepContext } from './run-step.ts';
import type { Tool, ToolName } from './tools.ts';

/** Installs `node_modules`: as a layer from package.json and lock file alone, or within the source where that is needed. */
export async function installNode(request: InstallRequest): Promise<Installed> {
  const { plan, install, appDir, tools, context, say } = request;
  const root = plan.root === '' ? '/app' : `/app/${plan.root}`;
  const node = await tools.node(plan.version ?? '');
  const manager = await tools.packageManager(install.manager as ToolName, install.manager_version);
  const result = { path: [`${root}/node_modules/.bin`], env: {}, warnings: [] as string[] };
  const name = `${install.manager} ${manager.version}`;
  const execute = async (source: Mount[]) => {
    say(`Installing dependencies with ${name} (${install.inputs[1] ?? 'package.json'}) …`);
    const mounts = [...source, request.cache, ...node.mounts, ...manager.mounts];
    await runInstall(context, install.manager as ToolName, install.command, root, mounts, nodeEnv(node, manager), result.warnings);
  };
  if (install.needs_source) {
    await execute([{ from: appDir, at: '/app', writable: true }]);
    await rebuild(request, join(appDir, plan.root), [{ from: appDir, at: '/app', writable: true }], root, node, manager);
    return { ...result, mounts: [], layerKeys: [], installed: true };
  }
  const folder = join(appDir, plan.root);
  const key = layerKey({
    kind: 'node',
    team: request.teamId,
    platform: request.platform,
    node: node.version,
    manager: name,
    dev: install.dev,
    inputs: await digests(folder, install.inputs),
  });
  const layer = await takeLayer(
    request.dataDir,
    key,
    async (content) => {
      const scratch = `${content}-source`;
      try {
        for (const input of install.inputs) {
          await mkdir(dirname(join(scratch, input)), { recursive: true, mode: 0o755 });
          await copyFile(join(folder, input), join(scratch, input));
        }
        const source = [{ from: scratch, at: root, writable: true }];
        await execute(source);
        await rebuild(request, scratch, source, root, node, manager);
        if (!existsSync(join(scratch, 'node_modules'))) return;
        await rmdir(content);
        await rename(join(scratch, 'node_modules'), content);
      } finally {
        await rm(scratch, { recursive: true, force: true });
      }
    },
    context.signal,
  );
  if (layer.reused) say(`Dependencies unchanged, layer ${key.slice(0, 8)}… reused.`);
  return { ...result, mounts: [{ from: layer.path, at: `${root}/node_modules` }], layerKeys: [key], installed: !layer.reused };
}

const outOfStep =
  /EUSAGE|can only install packages when your package\.json|ERR_PNPM_OUTDATED_LOCKFILE|ERR_PNPM_LOCKFILE_(CONFIG|BREAKING)|lockfile needs to be updated|YN0028|lockfile had changes, but lockfile is frozen|frozen-lockfile/i;

async function runInstall(
  context: StepContext,
  manager: ToolName,
  planned: string[],
  cwd: string,
  mounts: Mount[],
  env: Record<string, string>,
  warnings: string[],
): Promise<void> {
  const base = { step: 'install', doing: 'Installing the dependencies of package.json', cwd, env, mounts, credentials: true } as const;
  // npm fetches with the host's logins first and runs the packages' scripts without them afterwards.
  const quiet = manager === 'npm' ? ['--ignore-scripts', '--no-audit', '--no-fund'] : manager === 'yarn' ? ['--non-interactive'] : [];
  let isOutOfStep = false;
  const watching: StepContext = {
    ...context,
    onLine: (stream, line) => {
      isOutOfStep ||= outOfStep.test(line);
      context.onLine(stream, line);
    },
  };
  try {
    await runCommand(watching, { ...base, command: [...planned, ...quiet] });
  } catch (error) {
    if (!(error instanceof BuildError) || !isOutOfStep) throw error;
    warnings.push(
      'The lock file doesn’t fit package.json, so the versions were resolved anew; make it again for a build that repeats exactly.',
    );
    const loose = planned.map((word) => (word === 'ci' ? 'install' : word)).filter((word) => !/^--(frozen-lockfile|immutable)$/.test(word));
    const allow = { pnpm: ['--no-frozen-lockfile'], 'yarn-berry': ['--no-immutable'] }[manager as string] ?? [];
    await runCommand(context, { ...base, command: [...loose, ...allow, ...quiet] });
  }
}

/** Runs the install scripts of npm's packages, where there are any, without the host's logins. */
async function rebuild(
  { install, context, cache }: InstallRequest,
  folder: string,
  source: Mount[],
  cwd: string,
  node: Tool,
  manager: Tool,
): Promise<void> {
  if (install.manager !== 'npm') return;
  const path = join(folder, 'node_modules/.package-lock.json');
  const hasScripts = existsSync(path) && (await readFile(path, 'utf8')).includes('"hasInstallScript": true');
  if (!hasScripts && !install.needs_source) return;
  const base = {
    step: 'install',
    cwd,
    env: nodeEnv(node, manager),
    mounts: [...source, cache, ...node.mounts, ...manager.mounts],
    credentials: false,
  } as const;
  if (hasScripts)
    await runCommand(context, {
      ...base,
      doing: 'Running the install scripts of packages',
      command: ['npm', 'rebuild', '--foreground-scripts'],
    });
  for (const script of install.needs_source ? ['preinstall', 'install', 'postinstall', 'prepare'] : []) {
    await runCommand(context, {
      ...base,
      doing: `Running the script “${script}” of package.json`,
      command: ['npm', 'run', '--if-present', script],
    });
  }
}

export function nodeEnv(node: Tool, manager: Tool | null): Record<string, string> {
  const { npm_config_store_dir, ...caches } = cacheEnv;
  return {
    ...caches,
    PATH: `${manager === null ? '' : `${manager.path}:`}${node.path}:/usr/local/bin:/usr/bin:/bin`,
    CI: 'true',
    // npm warns of settings that it doesn't know, on every call.
    ...(manager?.path.includes('/pnpm/') ? { NPM_CONFIG_STORE_DIR: npm_config_store_dir } : {}),
    npm_config_update_notifier: 'false',
    // A build tells nobody that it runs; where nothing can be reached, the attempt would only take time.
    DO_NOT_TRACK: '1',
    NEXT_TELEMETRY_DISABLED: '1',
    // Failed steps are tried again as a whole; npm's own waits of a minute between tries would only add to that.
    npm_config_fetch_retries: '1',
    npm_config_fetch_retry_mintimeout: '2000',
    COREPACK_ENABLE_DOWNLOAD_PROMPT: '0',
    YARN_IGNORE_PATH: '1',
    YARN_NODE_LINKER: 'node-modules',
    YARN_ENABLE_TELEMETRY: '0',
    // Under CI yarn would refuse to make a missing lock file; with one, --immutable says so.
    YARN_ENABLE_IMMUTABLE_INSTALLS: 'false',
    YARN_ENABLE_GLOBAL_CACHE: '1',
  };
}
