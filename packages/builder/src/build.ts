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
import { buildStep, finish } from './install/build-step.ts';
import { leaseCache } from './install/cache.ts';
import { install } from './install/install.ts';
import type { Interpreter } from './install/pythons.ts';
import type { Installed } from './install/request.ts';
import type { StepContext } from './install/run-step.ts';
import { type StartParts, startParts } from './install/start-parts.ts';
import { findToolchains } from './install/toolchain.ts';
import { type ToolStore, toolStore } from './install/tools.ts';
import type { Plan } from './plan.ts';
import type { PythonDependencies } from './python-dependencies.ts';
import { type HostRegistry, openHostRegistry } from './registry/host-registry.ts';
import { redactor } from './registry/redact.ts';
import type { Mount, StepLimits, StepRunner } from './step.ts';
import type { Planned } from './unpack/messages.ts';
import { readArchive } from './unpack/unpack.ts';

export interface BuildRequest {
  zipPath: string;
  /** From the form or the API; they win over everything in the archive. */
  settings: PlanSettings;
  teamId: string;
  dataDir: string;
  run: StepRunner;
  /** Gets the build log, line by line, without secrets. `system` lines are written by Paddock. */
  onLine: (stream: 'stdout' | 'stderr' | 'system', text: string) => void;
  /** Gets the plan as soon as it is made, before anything is installed. */
  onPlan?: (plan: Plan) => Promise<void>;
  signal: AbortSignal;
  /** Variables that the person marked for builds; their values are kept out of the log. */
  buildEnv?: Record<string, string>;
  limits?: StepLimits;
  egressAllow?: string[];
  budgetSeconds?: number;
  /** The result of `findToolchains`; searched anew if absent. */
  toolchains?: Toolchains;
}

export interface BuildResult extends Artifact {
  /** False if the layer or the whole artifact existed already. */
  installed: boolean;
  /** The same archive and settings had been built before. */
  reused: boolean;
}

const defaultLimits: StepLimits = { memory_mb: 2048, cpus: 2, processes: 512, disk_mb: 4096, open_files: 8192 };
/** Shorter values of variables are words that stand anywhere in a log. */
const minSecretCharacters = 8;

/**
 * Makes an artifact of an archive: unpack, plan, dependencies, build. The same archive with the same settings gives the same
 * artifact again without any work. Fails with a BuildError that names step, cause and what to try. After a failure or an abort
 * only complete layers and caches remain.
 */
export async function build(asked: BuildRequest): Promise<BuildResult> {
  const begun = performance.now();
  const request = { ...asked, dataDir: resolve(asked.dataDir) };
  const { dataDir, signal } = request;
  const say = (text: string) => request.onLine('system', text);
  const toolchains = request.toolchains ?? (await findToolchains(signal));
  const sourceHash = await hashFile(request.zipPath, signal);
  const key = artifactKey(request, { sourceHash, toolchains, rules: await rulesDigest() });
  const earlier = await readArtifact(dataDir, key);
  if (earlier !== null) {
    say('Same archive and settings as before: the earlier build is used.');
    return { ...earlier, installed: false, reused: true };
  }
  const home = join(dataDir, 'artifacts', key);
  const draft = `${home}.draft-${randomUUID()}`;
  const closing: (() => Promise<unknown>)[] = [() => removeTree(draft)];
  try {
    await mkdir(draft, { recursive: true, mode: 0o755 });
    const registry = await openHostRegistry(dataDir);
    closing.push(registry.close);
    const cache = await leaseCache(dataDir, request.teamId);
    closing.push(cache.release);
    const context = stepContext(request, registry, begun);
    const tools = toolStore(dataDir, toolchains, signal);
    const appDir = join(draft, 'app');
    const work = { request, key, sourceHash, toolchains, tools, home, draft, appDir, cache: cache.mount, context, say };
    const { artifact, installed } = await draftArtifact(work);
    // failpoint: artifact-drafted
    await finish(draft, home, async () => (await readArtifact(dataDir, key)) !== null);
    return { ...artifact, installed, reused: false };
  } catch (error) {
    signal.throwIfAborted();
    throw named(error);
  } finally {
    await Promise.all(closing.map((close) => close()));
  }
}

interface KeyParts {
  sourceHash: string;
  toolchains: Toolchains;
  rules: string;
}

function artifactKey({ settings, teamId, buildEnv }: BuildRequest, { sourceHash, toolchains, rules }: KeyParts): string {
  const languages = [...toolchains.python.map((p) => p.version), toolchains.node.version];
  const sorted = (object: object) => Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1));
  const parts = [rules, sourceHash, teamId, sorted(settings), sorted(buildEnv ?? {}), languages, platform()];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 40);
}

let platformName: string | undefined;

/** Node knows the C library only as part of a long report on the whole process. */
function platform(): string {
  const libc = () => (process.report.getReport() as { header: { glibcVersionRuntime?: string } }).header.glibcVersionRuntime ?? 'musl';
  platformName ??= `${process.platform}-${arch()}-${libc()}`;
  return platformName;
}

function stepContext(request: BuildRequest, registry: HostRegistry, begun: number): StepContext {
  const { run, dataDir, signal, limits, egressAllow, budgetSeconds, buildEnv, onLine } = request;
  const values = Object.values(buildEnv ?? {}).filter((value) => value.length >= minSecretCharacters);
  return {
    run,
    dataDir,
    registry,
    redact: redactor([...registry.secrets, ...values]),
    signal,
    limits: limits ?? defaultLimits,
    egressAllow: egressAllow ?? [],
    deadline: begun + (budgetSeconds ?? deploymentBudgets.buildSeconds) * 1000,
    onLine,
  };
}

/** One build under way. */
interface Work {
  request: BuildRequest;
  key: string;
  sourceHash: string;
  toolchains: Toolchains;
  tools: ToolStore;
  /** Where the artifact will be; `draft` is renamed to it. */
  home: string;
  draft: string;
  /** The unpacked source, within `draft`. */
  appDir: string;
  cache: Mount;
  context: StepContext;
  say: (text: string) => void;
}

/** Does all steps in the draft's folder. */
async function draftArtifact(work: Work): Promise<{ artifact: Artifact; installed: boolean }> {
  const { request, toolchains, tools, draft, appDir, cache, context, say } = work;
  const { plan, dependencies } = await unpackAndPlan(work);
  await request.onPlan?.(plan);
  // failpoint: plan-noted
  const python = plan.language === 'python' ? await tools.python(plan, say) : null;
  const installed = await installStep(work, { plan, dependencies, python });
  const parts = await startParts({ plan, tools, toolchains, installed, python });
  if (python?.warning !== undefined) parts.warnings.unshift(python.warning);
  const { buildEnv } = request;
  const built = await buildStep({ plan, appDir, draft, parts, layers: installed.mounts, cache, tools, buildEnv, context, say });
  for (const warning of [...installed.warnings, ...parts.warnings]) {
    plan.warnings.push(warning);
    say(`Warning: ${warning}`);
  }
  const artifact = artifactOf(work, { plan, installed, parts, mounts: [...built, ...parts.mounts] });
  await writeFile(join(draft, 'plan.json'), JSON.stringify(plan, null, 2));
  await writeFile(join(draft, 'artifact.json'), JSON.stringify(artifact));
  return { artifact, installed: installed.installed };
}

async function unpackAndPlan({ request, appDir, toolchains, say }: Work): Promise<Planned> {
  const { zipPath, settings, signal } = request;
  const { plan, dependencies, unpacked } = await readArchive({ zipPath, destDir: appDir, settings, toolchains, signal });
  say(`Unpacked ${unpacked.files} files.`);
  plan.warnings.unshift(...unpacked.warnings);
  tell(plan, say);
  return { plan, dependencies };
}

function tell(plan: Plan, say: (text: string) => void): void {
  const because = (what: string) => plan.reasons.find((r) => r.what === what)?.because ?? '';
  const name = { python: 'Python', node: 'Node', static: 'static site', shell: 'shell script' }[plan.language];
  const language = [name, plan.version].filter(Boolean).join(' ');
  const framework = plan.framework === undefined ? '' : `, ${plan.framework} (${because('framework')})`;
  say(`Detected ${language} (${because('language')})${framework}.`);
  say(`Start command: ${plan.start.join(' ')} (${because('start')}).`);
  for (const warning of plan.warnings) say(`Warning: ${warning}`);
}

interface ToInstall {
  plan: Plan;
  dependencies: PythonDependencies | null;
  python: Interpreter | null;
}

async function installStep(work: Work, { plan, dependencies, python }: ToInstall): Promise<Installed> {
  const { request, appDir, sourceHash, tools, cache, context, say } = work;
  const nothing: Installed = { mounts: [], path: [], env: {}, layerKeys: [], installed: false, warnings: [] };
  const root = plan.root === '' ? '/app' : `/app/${plan.root}`;
  if (plan.install === null) return { ...nothing, path: plan.language === 'node' ? [`${root}/node_modules/.bin`] : [] };
  // The mounted layer would hide these folders of the archive.
  for (const shipped of ['node_modules', '.venv', 'venv']) await removeTree(join(appDir, plan.root, shipped));
  return install({
    plan,
    install: plan.install,
    dependencies,
    appDir,
    dataDir: request.dataDir,
    teamId: request.teamId,
    sourceHash,
    platform: platform(),
    python,
    tools,
    cache,
    context,
    say,
  });
}

interface Results {
  plan: Plan;
  installed: Installed;
  parts: StartParts;
  /** May lie in the draft's folder. */
  mounts: Mount[];
}

function artifactOf({ key, home, draft }: Work, { plan, installed, parts, mounts }: Results): Artifact {
  const { command, env } = withPort(plan.start, { ...parts.env, ...installed.env, ...plan.env });
  const path = [...installed.path, ...parts.path, '/usr/local/bin', '/usr/bin', '/bin'].join(':');
  return {
    key,
    plan,
    command,
    cwd: plan.root,
    warnings: plan.warnings,
    layer_keys: installed.layerKeys,
    app_dir: join(home, 'app'),
    mounts: mounts.map((mount) => ({ ...mount, from: movedFrom(mount.from, draft, home) })),
    env: { ...env, PATH: path },
  };
}

function movedFrom(path: string, draft: string, home: string): string {
  return path.startsWith(`${draft}/`) ? home + path.slice(draft.length) : path;
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

/** Honest tools leave plain files where Paddock looks: anything else was put there on purpose or by mistake. */
function strange(error: StrangeFile): BuildError {
  return new BuildError('build', 'strange_file', {
    message: `What the build left can’t be used: ${error.message}`,
    hint: 'Look for the script or package that puts something else in the place of that file.',
    cause: error,
  });
}
