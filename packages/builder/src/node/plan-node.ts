import { BuildError } from '../build-error.ts';
import { inFolder } from '../detect/choices.ts';
import { commandLine, wordsOf } from '../detect/commands.ts';
import type { PlanSettings } from '../detect/settings.ts';
import type { SourceTree } from '../detect/source-tree.ts';
import { runnableFiles } from '../detect/suggestions.ts';
import type { Toolchains } from '../detect/toolchains.ts';
import { lifecycleScripts } from '../lifecycle-scripts.ts';
import type { InstallPlan, Plan } from '../plan.ts';
import type { Detected } from '../python/plan-python.ts';
import { eveProject } from './eve.ts';
import { checksTypes, developmentProgram, importReason, lifecycleReason, usesTsNode } from './lifecycle.ts';
import { chooseManager, installCommand, installInputs, isPnpmWorkspace, type ManagerChoice } from './manager.ts';
import { type PackageJson, readPackageJson } from './package-json.ts';
import { pagesWithServer } from './pages-with-server.ts';
import { prismaBuild } from './prisma.ts';
import { withRuntime } from './runtime.ts';
import { likelyScript, nodeChoices, saidScript } from './scripts.ts';
import { findSourceStart, sourceIn } from './source-start.ts';
import { detectStart, entryFiles, isDevelopment, isStatic, type NodeStart, onlyInstalls } from './start.ts';
import { unlistedPackages } from './unlisted.ts';
import { chooseNode } from './version.ts';
import { readWorkspaceMembers, type Workspace, workspaceBuild } from './workspace.ts';

const frameworks: [string, string][] = [
  ['next', 'Next.js'],
  ['nuxt', 'Nuxt'],
  ['eve', 'eve'],
  ['@nestjs/core', 'NestJS'],
  ['@remix-run/serve', 'Remix'],
  ['astro', 'Astro'],
  ['hono', 'Hono'],
  ['fastify', 'Fastify'],
  ['koa', 'Koa'],
  ['express', 'Express'],
  ['@modelcontextprotocol/sdk', 'MCP'],
  ['@modelcontextprotocol/server', 'MCP'],
  ['fastmcp', 'MCP'],
];

export interface NodeGiven {
  settings: PlanSettings;
  /** The user's own commands. */
  start: string[] | null;
  build: string[] | null;
  toolchains: Toolchains;
  /** The workspace that contains the folder. */
  workspace?: Workspace | undefined;
}

/** The plan of a Node agent. */
export function planNode(tree: SourceTree, { settings, start, build, toolchains, workspace }: NodeGiven): Detected {
  const reasons: Plan['reasons'] = [];
  const warnings: string[] = [];
  const pkg = readPackageJson(tree.read('package.json') ?? '{}');
  const packages = Object.keys({ ...pkg.dependencies, ...pkg.devDependencies });
  const { version, because, warning } = chooseNode(tree, { setting: settings.node, engine: pkg.engine, packages }, toolchains);
  if (warning !== undefined) warnings.push(warning);
  reasons.push({ what: 'version', value: `Node ${version}`, because });
  const choice = workspace === undefined ? chooseManager(tree, pkg) : chooseManager(workspace.tree, workspace.pkg);
  if (workspace !== undefined)
    reasons.push({ what: 'workspace', value: workspace.top === '' ? 'the top of the archive' : workspace.top, because: workspace.because });
  const framework = frameworks.find(([name]) => pkg.dependencies[name] !== undefined);
  if (framework !== undefined) reasons.push({ what: 'framework', value: framework[1], because: 'package.json' });

  const eve = build === null && start === null ? eveProject(tree, pkg) : undefined;
  const ownBuild = pkg.scripts.build === undefined || onlyInstalls(pkg.scripts.build) ? (eve?.build ?? null) : runScript(choice, 'build');
  const ownBuilds = build ?? (workspace === undefined ? ownBuild : workspaceBuild(choice.manager, workspace, ownBuild));
  const prisma = build === null ? prismaBuild(tree, pkg, ownBuilds) : null;
  const builds = prisma?.command ?? ownBuilds;
  const likely = start === null ? (eve?.start ?? likelyStart(tree, pkg, ownBuilds !== null)) : null;
  const { manager } = choice;
  const isPages = likely !== null && isStatic(likely.command);
  const pages = isPages ? pagesWithServer(tree, pkg, (name) => sourceIn(name, { tree, pkg, manager })) : null;
  const found = pages ?? (likely && withRuntime(likely, { tree, pkg, manager }));
  const buildScript = workspace === undefined ? 'package.json (scripts.build)' : 'package.json of the workspace (scripts.build)';
  if (build === null && ownBuilds !== null)
    reasons.push({ what: 'build', value: ownBuilds.join(' '), because: eve?.start.because ?? buildScript });
  if (prisma !== null) reasons.push({ what: 'Prisma’s client', value: 'made before the build', because: prisma.because });
  if (found !== null) reasons.push({ what: 'start', value: found.command.join(' '), because: found.because });

  const started = start ?? found?.command ?? [];
  const source = settings.start === undefined ? findSourceStart(tree, pkg, choice.manager) : undefined;
  const install = installPlan(tree, {
    pkg,
    choice,
    build: builds,
    start: started,
    added: settings.packages ?? [],
    reasons,
    warnings,
    workspace,
  });
  const others = [...(settings.packages ?? []), ...(install?.members ?? [])];
  const unlisted = unlistedPackages(tree, { pkg, command: started, others, installsDev: install?.dev === true });
  return {
    language: 'node',
    version,
    ...(framework === undefined ? {} : { framework: framework[1] }),
    type: found?.type ?? (framework !== undefined && framework[1] !== 'MCP' ? 'web' : null),
    install,
    packages: Object.keys(pkg.dependencies),
    ...(unlisted.length === 0 ? {} : { unlisted_modules: unlisted }),
    build: builds,
    start: found?.command ?? null,
    ...(source === undefined ? {} : { source_start: source }),
    choices: nodeChoices(tree, { pkg, found, builds: ownBuilds !== null }),
    // Types do not matter at run time: their errors go to the log.
    env: { NODE_ENV: 'production', ...(usesTsNode(wordsOf(started)) ? { TS_NODE_LOG_ERROR: 'true' } : {}) },
    reasons,
    warnings,
  };
}

/** A script that the documents tell users to run is preferred to a file that is only named like an entry point. */
function likelyStart(tree: SourceTree, pkg: PackageJson, builds: boolean): NodeStart | null {
  const found = detectStart(tree, pkg, builds);
  if (found === null) return likelyScript(tree, pkg);
  return tree.has(found.because) ? (saidScript(tree, pkg) ?? found) : found;
}

function runScript({ manager }: ManagerChoice, script: string): string[] {
  return [manager === 'yarn-berry' ? 'yarn' : manager, 'run', script];
}

interface InstallGiven {
  pkg: PackageJson;
  choice: ManagerChoice;
  build: string[] | null;
  start: string[];
  /** Packages besides those of package.json. */
  added: string[];
  /** Receives the reasons of the install. */
  reasons: Plan['reasons'];
  warnings: string[];
  workspace: Workspace | undefined;
}

function installPlan(
  tree: SourceTree,
  { pkg, choice, build, start, added, reasons, warnings, workspace }: InstallGiven,
): InstallPlan | null {
  const some =
    added.length > 0 || Object.keys(pkg.dependencies).length > 0 || pkg.isWorkspace || isPnpmWorkspace(tree) || workspace !== undefined;
  const dev = devReason(tree, pkg, { build, start });
  if (!some && (dev === null || Object.keys(pkg.devDependencies).length === 0)) {
    reasons.push({ what: 'install', value: 'nothing', because: 'package.json (no dependencies)' });
    return null;
  }
  const command = installCommand(choice, dev !== null);
  reasons.push({ what: 'install', value: command.join(' '), because: choice.because });
  if (dev !== null && Object.keys(pkg.devDependencies).length > 0)
    reasons.push({ what: 'development dependencies', value: 'installed', because: dev });
  const source = workspace === undefined ? sourceReason(tree, pkg) : 'the folder is a member of a workspace';
  const members = workspace?.members ?? readWorkspaceMembers(tree);
  if (source !== null) reasons.push({ what: 'layer', value: 'own, not shared', because: source });
  if (choice.lock === null) warnings.push('There is no lock file, so two deployments may get different versions of the dependencies.');
  if (choice.manager === 'bun' && !wordsOf(start).includes('bun'))
    warnings.push('Dependencies are installed with bun; the agent itself runs on Node unless its start command says bun.');
  return {
    manager: choice.manager,
    command,
    inputs: installInputs(workspace?.tree ?? tree, choice),
    extra: added,
    dev: dev !== null,
    needs_source: source !== null,
    ...(choice.version === undefined ? {} : { manager_version: choice.version }),
    ...(workspace === undefined ? {} : { folder: workspace.top }),
    ...(members === undefined ? {} : { members: members.flatMap(({ name }) => name ?? []) }),
  };
}

function devReason(tree: SourceTree, pkg: PackageJson, { build, start }: Pick<InstallGiven, 'build' | 'start'>): string | null {
  if (build !== null) return 'the build step';
  const word = developmentProgram(pkg, wordsOf(start));
  if (word !== undefined) return `the start command uses ${word}`;
  if (checksTypes(pkg, wordsOf(start))) return 'the start command checks types, some of which are listed for development';
  return importReason(tree, pkg, wordsOf(start)) ?? lifecycleReason(pkg);
}

function sourceReason(tree: SourceTree, pkg: PackageJson): string | null {
  const script = lifecycleScripts.find((s) => pkg.scripts[s] !== undefined);
  if (script !== undefined) return `package.json has a script “${script}”`;
  if (pkg.isWorkspace || isPnpmWorkspace(tree)) return 'package.json is a workspace';
  const local = Object.entries({ ...pkg.dependencies, ...pkg.devDependencies }).find(([, v]) =>
    /^(file|link|portal|workspace):|^\.{0,2}\//.test(v),
  );
  return local === undefined ? null : `package.json takes ${local[0]} from a folder`;
}

export function noNodeStart(tree: SourceTree, root: string): BuildError {
  const { main, scripts } = readPackageJson(tree.read('package.json') ?? '{}');
  const named = whyUnnamed(scripts.start, main);
  // Files of another package need its dependencies.
  const isOfOther = (path: string) =>
    path.split('/').some((_, depth, parts) => depth > 0 && tree.has(`${parts.slice(0, depth).join('/')}/package.json`));
  const others = runnableFiles(tree, /\.[cm]?[jt]s$/).filter((path) => !isOfOther(path));
  return new BuildError('detect', 'start_missing', {
    message: `Nothing in the archive says how the Node agent starts: ${named}, none of ${entryFiles.filter((f) => f.endsWith('.js')).join(', ')}.`,
    hint: `${others.length > 0 ? `It holds ${others.join(', ')}. ` : ''}Add "scripts": {"start": "node ${others[0] ?? 'my-agent.js'}"} to package.json, or give a start command in paddock.yaml.`,
    choices: inFolder(
      others.map((path) => ({ start: commandLine(['node', path]), because: path })),
      root,
    ),
  });
}

function whyUnnamed(start: string | undefined, main: string | null): string {
  if (start !== undefined && !isDevelopment(start)) return 'the “start” script of package.json leaves the agent in the background and ends';
  if (main === null) return 'no “start” script or “main” in package.json';
  return `package.json has no “start” script and its “main”, ${main}, isn’t there`;
}
