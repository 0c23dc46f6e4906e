import { createHash, randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { arch } from 'node:os';
import { join, resolve } from 'node:path';
import { deploymentBudgets } from '@paddock/contract/limits';
import { removeTree, StrangeFile } from '@paddock/safe-files';
import { type Artifact, hashFile, readArtifact, rulesDigest } from './artifact.ts';
import { BuildError } from './build-error.ts';
import { withPort } from './detect/commands.ts';
import type { PlanSettings } from './detect/settings.ts';
import type { Toolchains } from './detect/toolchains.ts';
import { finish, runBuild } from './install/build-step.ts';
import { leaseCache } from './install/cache.ts';
import { type Installed, install } from './install/install.ts';
import { nodeEnv } from './install/node-env.ts';
import type { StepContext } from './install/run-step.ts';
import { type StartParts, startParts } from './install/start-parts.ts';
import { findToolchains } from './install/toolchain.ts';
import { type ToolName, type ToolStore, toolStore } from './install/tools.ts';
import type { Plan } from './plan.ts';
import type { PythonDependencies } from './python-dependencies.ts';
import { openHostRegistry } from './registry/host-registry.ts';
import { redactor } from './registry/redact.ts';
import type { Mount, StepLimits, StepRunner } from './step.ts';
import { readArchive } from './unpack/unpack.ts';

export interface BuildRequest {
  zipPath: string;
  /** What the form or the API said; wins over everything in the archive. */
  settings: PlanSettings;
  team_id: string;
  dataDir: string;
  run: StepRunner;
  /** Gets the build log, line by line, without secrets. `system` lines are ours. */
  onLine: (stream: 'stdout' | 'stderr' | 'system', text: string) => void;
  /** Gets the plan as soon as it is made, before anything is installed. */
  onPlan?: (plan: Plan) => Promise<void>;
  signal: AbortSignal;
  /** Variables that the person marked for builds; their values are kept out of the log. */
  buildEnv?: Record<string, string>;
  limits?: StepLimits;
  egressAllow?: string[];
  budget_s?: number;
  /** Found once by `findToolchains`; found anew where it is left out. */
  toolchains?: Toolchains;
}

export interface BuildResult extends Artifact {
  /** False when nothing had to be installed: the layer, or the whole artifact, was there. */
  installed: boolean;
  /** The same archive and settings had been built before. */
  reused: boolean;
  durations: { unpack_ms: number; plan_ms: number; install_ms: number; build_ms: number; total_ms: number };
}

const defaultLimits: StepLimits = { memory_mb: 2048, cpus: 2, processes: 512, disk_mb: 4096, open_files: 8192 };

/**
 * Makes an artifact of an archive: unpack, plan, dependencies, build. The same archive with the same settings gives the same
 * artifact again without any work. Fails with a BuildError that names step, cause and what to try; after a failure or an
 * abort nothing is left but layers and caches that are complete.
 */
export async function build(asked: BuildRequest): Promise<BuildResult> {
  const request = { ...asked, dataDir: resolve(asked.dataDir) };
  const { zipPath, settings, dataDir, signal, team_id } = request;
  const begun = performance.now();
  const say = (text: string) => request.onLine('system', text);
  const toolchains = request.toolchains ?? (await findToolchains(signal));
  const source = await hashFile(zipPath, signal);
  const key = artifactKey(request, source, toolchains, await rulesDigest());
  const earlier = await readArtifact(dataDir, key);
  if (earlier !== null) {
    say('Same archive and settings as before: the earlier build is used.');
    return {
      ...earlier,
      installed: false,
      reused: true,
      durations: { unpack_ms: 0, plan_ms: 0, install_ms: 0, build_ms: 0, total_ms: since(begun) },
    };
  }
  const home = join(dataDir, 'artifacts', key);
  const draft = `${home}.draft-${randomUUID()}`;
  const closing: (() => Promise<unknown>)[] = [() => removeTree(draft)];
  try {
    await mkdir(draft, { recursive: true, mode: 0o755 });
    const registry = await openHostRegistry(dataDir);
    closing.push(registry.close);
    const cache = await leaseCache(dataDir, team_id);
    closing.push(cache.release);
    const context: StepContext = {
      run: request.run,
      dataDir,
      registry,
      redact: redactor([...registry.secrets, ...Object.values(request.buildEnv ?? {}).filter((v) => v.length >= 8)]),
      signal,
      limits: request.limits ?? defaultLimits,
      egressAllow: request.egressAllow ?? [],
      deadline: begun + (request.budget_s ?? deploymentBudgets.build_s) * 1000,
      onLine: request.onLine,
    };
    const appDir = join(draft, 'app');
    const { plan, dependencies, unpacked, ...read } = await readArchive({ zipPath, destDir: appDir, settings, toolchains, signal });
    say(`Unpacked ${unpacked.files} files.`);
    plan.warnings.unshift(...unpacked.warnings);
    tell(plan, say);
    await request.onPlan?.(plan);
    // failpoint: plan-noted
    const tools = toolStore(dataDir, toolchains, signal);
    const installed = await timed(() =>
      installStep({ request, plan, dependencies, appDir, source, toolchains, tools, cache: cache.mount, context, say }),
    );
    const parts = await startParts(plan, tools, toolchains, installed.value);
    const built = await timed(() =>
      buildStep(request, plan, appDir, draft, parts, installed.value.mounts, cache.mount, tools, context, say),
    );
    for (const warning of [...installed.value.warnings, ...parts.warnings]) {
      plan.warnings.push(warning);
      say(`Warning: ${warning}`);
    }
    const { command, env } = withPort(plan.start, { ...parts.env, ...installed.value.env, ...plan.env });
    const artifact: Artifact = {
      key,
      plan,
      command,
      cwd: plan.root,
      warnings: plan.warnings,
      layer_keys: installed.value.layerKeys,
      app_dir: join(home, 'app'),
      mounts: [...built.value, ...parts.mounts].map((m) => ({
        ...m,
        from: m.from.startsWith(`${draft}/`) ? home + m.from.slice(draft.length) : m.from,
      })),
      env: { ...env, PATH: [...installed.value.path, ...parts.path, '/usr/local/bin', '/usr/bin', '/bin'].join(':') },
    };
    await writeFile(join(draft, 'plan.json'), JSON.stringify(plan, null, 2));
    await writeFile(join(draft, 'artifact.json'), JSON.stringify(artifact));
    // failpoint: artifact-drafted
    await finish(draft, home, async () => (await readArtifact(dataDir, key)) !== null);
    const durations = { ...read.durations, install_ms: installed.ms, build_ms: built.ms, total_ms: since(begun) };
    return { ...artifact, installed: installed.value.installed, reused: false, durations };
  } catch (error) {
    signal.throwIfAborted();
    throw named(error);
  } finally {
    await Promise.all(closing.map((close) => close()));
  }
}

function artifactKey({ settings, team_id, buildEnv }: BuildRequest, source: string, toolchains: Toolchains, rules: string): string {
  const languages = [...toolchains.python.map((p) => p.version), toolchains.node.version];
  const sorted = (object: object) => Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1));
  const parts = [rules, source, team_id, sorted(settings), sorted(buildEnv ?? {}), languages, platform()];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 40);
}

let platformName: string | undefined;

/** Node knows the C library only as part of a long report on the whole process. */
function platform(): string {
  const libc = () => (process.report.getReport() as { header: { glibcVersionRuntime?: string } }).header.glibcVersionRuntime ?? 'musl';
  platformName ??= `${process.platform}-${arch()}-${libc()}`;
  return platformName;
}

function tell(plan: Plan, say: (text: string) => void): void {
  const because = (what: string) => plan.reasons.find((r) => r.what === what)?.because ?? '';
  const name = { python: 'Python', node: 'Node', static: 'static site', shell: 'shell script' }[plan.language];
  say(
    `Detected ${[name, plan.version].filter(Boolean).join(' ')} (${because('language')})${plan.framework === undefined ? '' : `, ${plan.framework} (${because('framework')})`}.`,
  );
  say(`Start command: ${plan.start.join(' ')} (${because('start')}).`);
  for (const warning of plan.warnings) say(`Warning: ${warning}`);
}

interface InstallArguments {
  request: BuildRequest;
  plan: Plan;
  dependencies: PythonDependencies | null;
  appDir: string;
  source: string;
  toolchains: Toolchains;
  tools: ToolStore;
  cache: Mount;
  context: StepContext;
  say: (text: string) => void;
}

async function installStep({
  request,
  plan,
  dependencies,
  appDir,
  source,
  toolchains,
  tools,
  cache,
  context,
  say,
}: InstallArguments): Promise<Installed> {
  const nothing: Installed = { mounts: [], path: [], env: {}, layerKeys: [], installed: false, warnings: [] };
  const root = plan.root === '' ? '/app' : `/app/${plan.root}`;
  if (plan.install === null) return { ...nothing, path: plan.language === 'node' ? [`${root}/node_modules/.bin`] : [] };
  // What the archive brought itself would only be hidden by the layer.
  for (const shipped of ['node_modules', '.venv', 'venv']) await removeTree(join(appDir, plan.root, shipped));
  return install({
    plan,
    install: plan.install,
    dependencies,
    appDir,
    dataDir: request.dataDir,
    teamId: request.team_id,
    sourceHash: source,
    platform: platform(),
    toolchains,
    tools,
    cache,
    context,
    say,
  });
}

async function buildStep(
  request: BuildRequest,
  plan: Plan,
  appDir: string,
  draft: string,
  parts: StartParts,
  layers: Mount[],
  cache: Mount,
  tools: ToolStore,
  context: StepContext,
  say: (text: string) => void,
): Promise<Mount[]> {
  if (plan.build === null) return layers;
  const root = plan.root === '' ? '/app' : `/app/${plan.root}`;
  const managerName = plan.install?.manager;
  const needsManager = plan.language === 'node' && managerName !== undefined;
  const manager = needsManager
    ? await tools.packageManager(managerName as ToolName, plan.install?.manager_version)
    : plan.language === 'node'
      ? await tools.packageManager('npm')
      : null;
  const base = parts.node === null ? { PATH: '/usr/local/bin:/usr/bin:/bin' } : nodeEnv(parts.node, manager);
  const bins = [`${root}/node_modules/.bin`, `${root}/.venv/bin`];
  const env = { ...base, ...plan.env, CI: 'true', ...request.buildEnv, PATH: `${bins.join(':')}:${base.PATH}` };
  const tooling = [cache, ...parts.mounts, ...(manager?.mounts ?? [])];
  const mounts = await runBuild({ plan, command: plan.build, appDir, draft, mounts: [...layers, ...tooling], env, context, say });
  return mounts.filter((m) => !tooling.includes(m));
}

function named(error: unknown): unknown {
  if (error instanceof StrangeFile) return strange(error);
  const code = (error as { code?: string }).code;
  if (code !== 'ENOSPC' && code !== 'EDQUOT') return error;
  return new BuildError('install', 'disk_full', {
    message: 'The disk is full, so the build could not go on.',
    hint: 'Ask the operator to free disk space, then deploy again.',
    cause: error,
  });
}

/** Honest tools leave plain files where Paddock looks; what else lies there was put there on purpose, or by mistake. */
function strange(error: StrangeFile): BuildError {
  return new BuildError('build', 'strange_file', {
    message: `What the build left can’t be used: ${error.message}`,
    hint: 'Look for the script or package that puts something else in the place of that file.',
    cause: error,
  });
}

async function timed<T>(work: () => Promise<T>): Promise<{ value: T; ms: number }> {
  const begun = performance.now();
  return { value: await work(), ms: since(begun) };
}

function since(begun: number): number {
  return Math.round(performance.now() - begun);
}
