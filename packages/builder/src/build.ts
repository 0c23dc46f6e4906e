import { randomBytes, randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { deploymentBudgets } from '@paddock/contract/limits';
import { removeTree } from '@paddock/safe-files';
import { type Artifact, hashFile, readArtifact, rulesDigest } from './artifact.ts';
import { artifactKey, platform } from './artifact-key.ts';
import { buildArtifact } from './build-artifact.ts';
import { BuildError } from './build-error.ts';
import type { PlanSettings } from './detect/settings.ts';
import type { Toolchains } from './detect/toolchains.ts';
import { insteadWarning, mayBeOlder } from './install/anew.ts';
import { buildStep, finish } from './install/build-step.ts';
import { type CacheLease, leaseCache } from './install/cache.ts';
import { install } from './install/install.ts';
import { type Lease, openLease } from './install/leases.ts';
import { replaceMissingStart } from './install/missing-start.ts';
import type { Interpreter } from './install/python-store.ts';
import type { Installed } from './install/request.ts';
import { findStartTools } from './install/start-tools.ts';
import type { StepContext } from './install/step-context.ts';
import { named } from './install/strange-failure.ts';
import { findSystemParts } from './install/system-parts.ts';
import { findToolchains } from './install/toolchain.ts';
import { type ToolStore, toolStore } from './install/tools.ts';
import type { Plan } from './plan.ts';
import type { PythonDependencies } from './python-dependencies.ts';
import { type HostRegistry, openHostRegistry } from './registry/host-registry.ts';
import { redactor } from './registry/redact.ts';
import { sayPlan } from './say-plan.ts';
import type { Mount, StepLimits, StepRunner } from './step.ts';
import type { Planned } from './unpack/messages.ts';
import { readArchive } from './unpack/unpack.ts';

export interface BuildRequest {
  zipPath: string;
  /** From the form or the API. They override every setting in the archive. */
  settings: PlanSettings;
  teamId: string;
  dataDir: string;
  run: StepRunner;
  /** Receives the build log line by line, without secrets. `system` lines are written by Paddock. */
  onLine: (stream: 'stdout' | 'stderr' | 'system', text: string) => void;
  /** Receives the plan as soon as it is made, before anything is installed. */
  onPlan?: (plan: Plan) => Promise<void>;
  signal: AbortSignal;
  /** Variables that the user marked for builds. Their values are masked in the log. */
  buildEnv?: Record<string, string>;
  limits?: StepLimits;
  egressAllow?: string[];
  budgetSeconds?: number;
  /** Set if the newest versions were installed and the start then failed with an error. */
  newestFailed?: NewestFailed;
  /** The result of `findToolchains`. If absent, the toolchains are searched again. */
  toolchains?: Toolchains;
}

export interface NewestFailed {
  error: string;
  /** The requirement to install instead, such as `mcp<2`. If absent, the versions of the archive's newest date are installed. */
  below?: string;
}

export interface BuildResult extends Artifact {
  /** False if the layer or the whole artifact existed already. */
  installed: boolean;
  /** The same archive and settings had been built before. */
  reused: boolean;
  /** Ends the protection of the build's output from removal. Call it once a deployment names the artifact. */
  release: Lease['release'];
}

const defaultLimits: StepLimits = { memory_mb: 2048, cpus: 2, processes: 512, disk_mb: 20_480, open_files: 8192 };
/** Shorter values of variables are not masked: they are words that occur anywhere in a log. */
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
  const found = request.toolchains ?? (await findToolchains(signal));
  // The operator may have installed more since the server started.
  const toolchains = { ...found, system: found.system ?? (await findSystemParts(signal)) };
  const sourceHash = await hashFile(request.zipPath, signal);
  const key = artifactKey(request, { sourceHash, toolchains, rules: await rulesDigest() });
  const lease = await openLease(dataDir);
  try {
    const earlier = await readArtifact(dataDir, key, lease.hold);
    if (earlier === null)
      return { ...(await buildAnew({ request, begun, toolchains, sourceHash, key, lease, say })), release: lease.release };
    say('Same archive and settings as before: the earlier build is used.');
    return { ...earlier, installed: false, reused: true, release: lease.release };
  } catch (error) {
    await lease.release();
    throw error;
  }
}

type Begun = Pick<Work, 'request' | 'toolchains' | 'sourceHash' | 'key' | 'lease' | 'say'> & { begun: number };

async function buildAnew({ request, begun, toolchains, sourceHash, key, lease, say }: Begun): Promise<Omit<BuildResult, 'release'>> {
  const { dataDir, signal } = request;
  const home = join(dataDir, 'artifacts', key);
  const draft = `${home}.draft-${randomUUID()}`;
  const closing: (() => Promise<unknown>)[] = [() => removeTree(draft)];
  let cache: CacheLease | undefined;
  try {
    await mkdir(draft, { recursive: true, mode: 0o755 });
    const registry = await openHostRegistry(dataDir);
    closing.push(registry.close);
    cache = await leaseCache(dataDir, request.teamId);
    closing.push(cache.release);
    const context = stepContext(request, registry, begun);
    const tools = toolStore(dataDir, toolchains, signal);
    const appDir = join(draft, 'app');
    const work = { request, key, sourceHash, toolchains, tools, home, draft, appDir, cache: cache.mount, lease, context, say };
    const { artifact, installed } = await draftArtifact(work);
    // failpoint: artifact-drafted
    const to = join(dataDir, 'artifacts', artifact.key);
    await finish(draft, to, async () => (await readArtifact(dataDir, artifact.key, lease.hold)) !== null);
    return { ...artifact, installed, reused: false };
  } catch (error) {
    signal.throwIfAborted();
    const failure = await named(error, dataDir);
    // The cache is emptied after a build that ran out of room, so that the next build has more.
    if (failure instanceof BuildError && noRoom.has(failure.code)) await cache?.empty();
    throw failure;
  } finally {
    await Promise.all(closing.map((close) => close()));
  }
}

function stepContext(request: BuildRequest, registry: HostRegistry, begun: number): StepContext {
  const { run, dataDir, signal, limits, egressAllow, budgetSeconds, buildEnv, onLine } = request;
  const budget = budgetSeconds ?? deploymentBudgets.buildSeconds;
  const values = Object.values(buildEnv ?? {}).filter((value) => value.length >= minSecretCharacters);
  return {
    run,
    dataDir,
    registry,
    redact: redactor([...registry.secrets, ...values]),
    signal,
    limits: limits ?? defaultLimits,
    egressAllow: egressAllow ?? [],
    deadline: begun + budget * 1000,
    budgetSeconds: budget,
    onLine,
  };
}

/** A build in progress. */
interface Work {
  request: BuildRequest;
  key: string;
  sourceHash: string;
  toolchains: Toolchains;
  tools: ToolStore;
  /** The final folder of the artifact; `draft` is renamed to it. */
  home: string;
  draft: string;
  /** The unpacked source, within `draft`. */
  appDir: string;
  cache: Mount;
  lease: Lease;
  context: StepContext;
  say: (text: string) => void;
}

/** Runs all steps in the draft's folder. */
async function draftArtifact(work: Work): Promise<{ artifact: Artifact; installed: boolean }> {
  const { request, toolchains, tools, draft, appDir, cache, context, say } = work;
  const { plan, dependencies, archiveDate } = await unpackAndPlan(work);
  await request.onPlan?.(plan);
  // failpoint: plan-noted
  const python = plan.language === 'python' ? await tools.python(plan, say) : null;
  const installed = await installAll(work, { plan, dependencies, python, archiveDate });
  const parts = await findStartTools({ plan, tools, toolchains, installed, python });
  if (python?.warning !== undefined) parts.warnings.unshift(python.warning);
  const { buildEnv } = request;
  const warn = (text: string) => void installed.warnings.push(text);
  const built = await buildStep({ plan, appDir, draft, parts, layers: installed.mounts, cache, tools, buildEnv, context, say, warn });
  const moved = request.settings.start === undefined ? replaceMissingStart(plan, appDir) : undefined;
  const starting = moved === undefined ? parts : await findStartTools({ plan, tools, toolchains, installed, python });
  if (moved !== undefined) warn(moved);
  if (request.newestFailed !== undefined) warn(insteadWarning(archiveDate, request.newestFailed));
  for (const warning of [...installed.warnings, ...parts.warnings]) {
    plan.warnings.push(warning);
    say(`Warning: ${warning}`);
  }
  const { unfetched = [] } = installed;
  if (unfetched.length > 0) plan.unfetched = unfetched;
  const artifact = buildArtifact(unfetched.length > 0 || built.isIncomplete ? await keptApart(work) : work, {
    plan,
    installed,
    parts: starting,
    mounts: [...built.mounts, ...starting.mounts],
  });
  if (archiveDate !== null && mayBeOlder({ archiveDate }, installed) && request.newestFailed === undefined)
    artifact.newest_until = archiveDate;
  else if (plan.language === 'python' && installed.isUnlocked === true && request.newestFailed === undefined) artifact.is_unlocked = true;
  await writeFile(join(draft, 'plan.json'), JSON.stringify(plan, null, 2));
  await writeFile(join(draft, 'artifact.json'), JSON.stringify(artifact));
  return { artifact, installed: installed.installed };
}

/** An artifact that lacks parts gets a key that no request asks for, so the next build of the same archive tries again. */
async function keptApart(work: Work): Promise<Work> {
  const key = randomBytes(20).toString('hex');
  await work.lease.hold(`artifacts/${key}`);
  return { ...work, key, home: join(work.request.dataDir, 'artifacts', key) };
}

async function unpackAndPlan({ request, appDir, toolchains, say }: Work): Promise<Planned & Pick<ToInstall, 'archiveDate'>> {
  const { zipPath, settings, signal } = request;
  const { plan, dependencies, unpacked } = await readArchive({ zipPath, destDir: appDir, settings, toolchains, signal });
  say(`Unpacked ${unpacked.files} files.`);
  plan.warnings.unshift(...unpacked.warnings);
  sayPlan(plan, say);
  return { plan, dependencies, archiveDate: unpacked.newest };
}

interface ToInstall {
  plan: Plan;
  dependencies: PythonDependencies | null;
  python: Interpreter | null;
  archiveDate: string | null;
}

/** Installs the packages. If they refuse the Node that the Dockerfile names, the platform's own Node is used. */
async function installAll(work: Work, given: ToInstall): Promise<Installed> {
  const { plan } = given;
  const version = plan.reasons.find(({ what }) => what === 'version');
  try {
    return await installStep(work, given);
  } catch (error) {
    const own = work.toolchains.node.version;
    const isWeak = plan.language === 'node' && version?.because.startsWith('Dockerfile') === true && plan.version !== own;
    if (!(error instanceof BuildError) || !error.causedByNodeVersion || !isWeak) throw error;
    work.say(`${error.message} Trying Node ${own} …`);
    plan.warnings.push(`${version.because} is made for Node ${plan.version}, which does not fit: ${error.message} Node ${own} is used.`);
    plan.version = own;
    Object.assign(version, { value: `Node ${own}`, because: 'the platform’s own' });
    return await installStep(work, given);
  }
}

async function installStep(work: Work, { plan, dependencies, python, archiveDate }: ToInstall): Promise<Installed> {
  const { request, appDir, sourceHash, tools, cache, context, say } = work;
  const nothing: Installed = { mounts: [], path: [], env: {}, layerKeys: [], installed: false, warnings: [] };
  const root = plan.root === '' ? '/app' : `/app/${plan.root}`;
  if (plan.install === null) return { ...nothing, path: plan.language === 'node' ? [`${root}/node_modules/.bin`] : [] };
  // The mounted layer would hide these folders of the archive.
  for (const folder of new Set([plan.root, plan.install.folder ?? plan.root]))
    for (const shipped of ['node_modules', '.venv', 'venv']) await removeTree(join(appDir, folder, shipped));
  return install({
    plan,
    install: plan.install,
    dependencies,
    appDir,
    dataDir: request.dataDir,
    teamId: request.teamId,
    sourceHash,
    archiveDate,
    onlyOlder: request.newestFailed !== undefined && request.newestFailed.below === undefined,
    below: request.newestFailed?.below,
    platform: platform(),
    python,
    tools,
    cache,
    hold: work.lease.hold,
    context,
    say,
  });
}

const noRoom = new Set(['disk_full', 'disk_limit']);
