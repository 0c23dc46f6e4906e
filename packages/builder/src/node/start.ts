import { BuildError } from '../build-error.ts';
import { commandLine, parseCommand } from '../detect/commands.ts';
import { foreground } from '../detect/foreground.ts';
import { bridged, choosesHttp, speaksOnlyStdio } from '../detect/mcp-stdio.ts';
import type { SourceTree } from '../detect/source-tree.ts';
import { lifecycleScripts } from '../lifecycle-scripts.ts';
import type { AgentType } from '../plan.ts';
import { isPnpmWorkspace } from './manager.ts';
import type { PackageJson } from './package-json.ts';

export interface NodeStart {
  command: string[];
  because: string;
  type?: AgentType;
}

/** Folders in which builds of single-page apps write their output, by build tool. */
const spaOutputs = ['dist', 'build', 'out', 'public'];
export const entryFiles = ['server', 'index', 'app', 'main', 'agent', 'bot'].flatMap((name) =>
  ['js', 'mjs', 'cjs', 'ts', 'mts'].map((ext) => `${name}.${ext}`),
);

/** The start of a Node agent and its source; null if nothing names a start. */
export function detectStart(tree: SourceTree, pkg: PackageJson, builds: boolean): NodeStart | null {
  const found = langgraph(tree, pkg) ?? movedProgram(tree, pkg, builds) ?? ownStart(tree, pkg, builds);
  if (found === null || !usesMcp(pkg, builds) || found.type === 'web' || choosesHttp(found.command)) return found;
  if (!speaksOnlyStdio(tree, findSource(tree, found.command))) return found;
  return { command: bridged(found.command), because: `${found.because}, which speaks MCP over stdin and stdout`, type: 'web' };
}

/** The source of a compiled program, by the usual folders: `dist/index.js` is compiled from `src/index.ts`. */
function findSource(tree: SourceTree, command: string[]): string | undefined {
  const program = command.findLast((word) => /\.[cm]?[jt]s$/.test(word))?.replace(/^\.\//, '');
  if (program === undefined || tree.has(program)) return program;
  const [, path = '', kind = ''] = /^(?:dist|build|lib|out)\/(.{1,200})\.([cm]?)js$/.exec(program) ?? [];
  return [`src/${path}.${kind}ts`, `${path}.${kind}ts`, `${path.replace(/^src\//, '')}.${kind}ts`].find(tree.has);
}

/** A build may bundle packages that are only needed for the development. */
const usesMcp = (pkg: PackageJson, builds: boolean) =>
  ['@modelcontextprotocol/sdk', '@modelcontextprotocol/server', 'fastmcp'].some(
    (name) => pkg.dependencies[name] ?? (builds && pkg.devDependencies[name]),
  );

function langgraph(tree: SourceTree, pkg: PackageJson): NodeStart | null {
  if (!tree.has('langgraph.json') || pkg.scripts.start !== undefined) return null;
  const cli = '@langchain/langgraph-cli';
  const fetched = Object.entries(pkg.scripts).flatMap(([name, script]) => {
    const text = /\bnpx\s{1,20}(?:-y\s{1,20}|--yes\s{1,20})?(@langchain\/langgraph-cli(?:@[\w.^~-]{1,40})?)\s{1,20}dev\b/.exec(script)?.[1];
    return text === undefined ? [] : { name, text };
  })[0];
  if (fetched !== undefined) {
    const command = ['npx', '--yes', fetched.text, 'dev', '--host', '0.0.0.0', '--port', '$PORT', '--no-browser'];
    return { command, because: `package.json (scripts.${fetched.name})`, type: 'web' };
  }
  if (pkg.dependencies[cli] === undefined && pkg.devDependencies[cli] === undefined)
    throw new BuildError('detect', 'start_missing', {
      message: `langgraph.json names the graphs, but package.json doesn’t name ${cli}, which serves them.`,
      hint: `Add ${cli} to the dependencies (npm install ${cli}) and deploy again.`,
    });
  const command = ['langgraphjs', 'dev', '--host', '0.0.0.0', '--port', '$PORT', '--no-browser'];
  return { command, because: 'langgraph.json', type: 'web' };
}

/** The file of a script that only runs the file. */
const programOf = (script = '') => /^node\s{1,20}(?:--\s{1,20})?([\w./-]{1,200}\.[cm]?js)$/.exec(script.trim())?.[1]?.replace(/^\.\//, '');

/** A script that only runs a file by another program, and the file. */
const otherProgram = /^((?:bun|bun run|tsx|ts-node)) ((?:\.\/)?[\w./-]{1,200}\.[cm]?[jt]s)$/;

/**
 * The file that the start script means if it names one that does not exist and that nothing builds: of the same name at the root or in
 * `src`, or the entry of package.json.
 */
function movedProgram(tree: SourceTree, { scripts, module, main }: PackageJson, builds: boolean): NodeStart | null {
  const [, runner, file = ''] = otherProgram.exec(scripts.start?.trim() ?? '') ?? [];
  const program = runner === undefined ? programOf(scripts.start) : file.replace(/^\.\//, '');
  const isMade = builds || ['prestart', ...lifecycleScripts].some((name) => scripts[name] !== undefined);
  if (program === undefined || isMade || tree.has(program)) return null;
  const name = program.split('/').at(-1) ?? '';
  const named = [module, main].flatMap((path) => path?.replace(/^\.\//, '') ?? []);
  const found = [name, `src/${name}`, ...named].find(tree.has);
  if (found === undefined) return null;
  const command = runner === undefined ? ['node', '--', found] : [...runner.split(' '), found];
  return { command, because: `${found}, since package.json (scripts.start) names ${program}, which is not there` };
}

/** A single-page app is served by its built files, not by its development server. */
const developmentServer = /^(?:vite(?![\w-])|(?:react-scripts start|ng serve|vue-cli-service serve)\b)/;
const servesBuilt = /^vite\s{1,20}preview/;

export function isDevelopment(script: string): boolean {
  const text = script.trimStart();
  return developmentServer.test(text) && !servesBuilt.test(text);
}

/** The script with which an MCP server is served over HTTP; its plain “start” may speak over stdin and stdout. */
const mcpHttpScript = /^start[:-](?:mcp[:-])?(?:streamable-?)?http$/i;

/** If there is no plain “start”, a script with one of these names serves over HTTP. */
const httpScript = /^start[:-](streamable-?http|http|web|server|prod|production)$/i;

/** Commands that compile the source at each start, in the memory of the agent. */
const compiles = /^(?:nest start|ts-node|ts-node-dev|tsx|babel-node|nodemon)\b/;
const builtScripts = ['start:prod', 'start:production', 'serve:prod', 'prod'];

/** The name of the start script. If there is a build, the script that runs its output. */
function startScript({ scripts }: PackageJson, builds: boolean): string {
  const built = builtScripts.find((name) => /^node\b/.test(scripts[name]?.trim() ?? ''));
  return builds && built !== undefined && compiles.test(scripts.start?.trim() ?? '') ? built : 'start';
}

const installs =
  /^(?:npx\s{1,9})?(?:npm\s{1,9}(?:install|i|ci)|(?:yarn|pnpm|bun)(?:\s{1,9}(?:install|i))?)(?:\s{1,9}--?[\w-]{1,40}){0,5}\s{0,9}&&\s{0,9}/;
/** Whether a script only installs the dependencies. */
export const onlyInstalls = (script: string | undefined) => script !== undefined && `${script.trim()} &&`.replace(installs, '') === '';

const alias = /^(?:npx\s{1,9})?(?:npm|yarn|pnpm|bun)\s{1,9}(?:run\s{1,9})?([\w:-]{1,60})$/;

/** A script without the install before it, which Paddock does once, and the script that it then calls. */
function withoutInstall({ scripts }: PackageJson, name: string): string | undefined {
  const script = scripts[name];
  const rest = script?.trim().replace(installs, '');
  if (rest === undefined || rest === script?.trim()) return script;
  const called = alias.exec(rest)?.[1] ?? '';
  return Object.hasOwn(scripts, called) ? scripts[called] : rest;
}

function ownStart(tree: SourceTree, pkg: PackageJson, builds: boolean): NodeStart | null {
  const name = startScript(pkg, builds);
  const script = withoutInstall(pkg, name);
  const wrangler = ['wrangler.jsonc', 'wrangler.toml', 'wrangler.json'].find(tree.has);
  if (wrangler !== undefined && (script === undefined || isDevelopment(script) || /\bwrangler\b/.test(script)))
    throw new BuildError('detect', 'other_platform', {
      message: `The agent is made for Cloudflare Workers (${wrangler}), whose runtime isn’t here.`,
      hint: 'Give it an entry that listens on $PORT under Node, and say so in "scripts": {"start": …} or as the start command.',
    });
  const mastra = mastraOutput(tree, pkg, builds);
  if (mastra !== null) return mastra;
  const overHttp = usesMcp(pkg, builds) ? Object.keys(pkg.scripts).find((each) => mcpHttpScript.test(each)) : undefined;
  if (overHttp !== undefined)
    return { command: parseCommand(pkg.scripts[overHttp] ?? ''), because: `package.json (scripts.${overHttp})`, type: 'web' };
  if (script !== undefined && !isDevelopment(script)) {
    const own = foreground(parseCommand(script), tree);
    const before = pkg.scripts[`pre${name}`];
    const command = own === null || before === undefined ? own?.command : parseCommand(`${before} && ${commandLine(own.command)}`);
    if (command !== undefined) return { command, because: `package.json (scripts.${name})` };
  }
  const http = script === undefined ? Object.keys(pkg.scripts).find((name) => httpScript.test(name)) : undefined;
  if (http !== undefined) return { command: parseCommand(pkg.scripts[http] ?? ''), because: `package.json (scripts.${http})`, type: 'web' };
  const main =
    pkg.main === null ? undefined : [pkg.main, `${pkg.main}.js`, `${pkg.main}/index.js`].map((p) => p.replace(/^\.\//, '')).find(tree.has);
  if (main !== undefined && /\.[cm]?[jt]s$/.test(main)) return { command: ['node', '--', main], because: 'package.json (main)' };
  const entry = ['', 'src/'].flatMap((folder) => entryFiles.map((f) => folder + f)).find(tree.has);
  const isSpa =
    builds &&
    ['vite', 'react-scripts', '@angular/cli', '@vue/cli-service', 'parcel'].some(
      (n) => pkg.devDependencies[n] !== undefined || pkg.dependencies[n] !== undefined,
    );
  if (isSpa && (entry === undefined || entry.startsWith('src/'))) {
    return {
      command: staticCommand(pkg.dependencies['react-scripts'] !== undefined ? 'build' : 'dist'),
      because: 'package.json (built static files)',
      type: 'web',
    };
  }
  // The author runs the compiled program. The source may import modules that only the compiler finds.
  const compiled = entry?.endsWith('ts') === true && builds && pkg.bin !== null;
  if (entry !== undefined && !(entry.startsWith('src/') && builds) && !compiled) return { command: ['node', '--', entry], because: entry };
  const built = builds ? builtEntry(tree, pkg) : null;
  if (built !== null) return built;
  if (tree.has('dist/index.js')) return { command: ['node', '--', 'dist/index.js'], because: 'dist/index.js' };
  const folder = spaOutputs.find((f) => tree.has(`${f}/index.html`)) ?? (tree.has('index.html') ? '.' : undefined);
  return folder === undefined
    ? null
    : { command: staticCommand(folder), because: folder === '.' ? 'index.html' : `${folder}/index.html`, type: 'web' };
}

/**
 * `mastra build` always writes to the same place. Projects created with `npm init` keep a start script for another place, which the build
 * never writes.
 */
function mastraOutput(tree: SourceTree, pkg: PackageJson, builds: boolean): NodeStart | null {
  if (!builds || !/^mastra\s{1,20}build\b/.test(pkg.scripts.build ?? '')) return null;
  const program = programOf(pkg.scripts.start);
  if (program === undefined || program.startsWith('.mastra/') || tree.has(program)) return null;
  return { command: ['node', '--', '.mastra/output/index.mjs'], because: 'package.json (scripts.build)', type: 'web' };
}

/** The path to which a build tool writes the server, regardless of package.json. */
const outputs: [build: RegExp, program: string][] = [
  [/^(?:npx )?(?:nitro|nitropack|nuxt|nuxi) build\b/, '.output/server/index.mjs'],
  [/^(?:npx )?mastra build\b/, '.mastra/output/index.mjs'],
];

/** The program that the build will write: by its tool, otherwise by package.json and tsconfig.json. */
function builtEntry(tree: SourceTree, pkg: PackageJson): NodeStart | null {
  const output = outputs.find(([build]) => build.test(pkg.scripts.build?.trim() ?? ''))?.[1];
  if (output !== undefined) return { command: ['node', '--', output], because: 'package.json (scripts.build)', type: 'web' };
  const outDir = /"outDir"\s*:\s*"(?:\.\/)?([\w./-]+?)\/?"/.exec(tree.read('tsconfig.json') ?? '')?.[1];
  const named: [string | null, string][] = [
    [pkg.main, 'package.json (main, built)'],
    [pkg.bin, 'package.json (bin, built)'],
  ];
  const programs = named
    .map(([path, because]) => ({ path: path?.replace(/^\.\//, '') ?? '', because }))
    .filter(({ path }) => /^[\w./-]+\.[cm]?js$/.test(path));
  // `npm init` writes main: index.js even if that file never exists.
  const best =
    programs.find(({ path }) => outDir !== undefined && path.startsWith(`${outDir}/`)) ?? programs.find(({ path }) => path.includes('/'));
  const found = best ?? (outDir === undefined ? programs[0] : undefined);
  if (found !== undefined) return { command: ['node', '--', found.path], because: found.because };
  // The root of a workspace builds its packages but starts none of them.
  if (pkg.isWorkspace || isPnpmWorkspace(tree)) return null;
  return {
    command: ['node', '--', `${outDir ?? 'dist'}/index.js`],
    because: outDir === undefined ? 'package.json (scripts.build)' : 'tsconfig.json (outDir)',
  };
}

const staticServer = '/opt/paddock/launchers/static-server.mjs';
/** Paddock's own file server, mounted beside the agent. */
export const staticCommand = (folder: string): string[] => ['node', staticServer, folder];
export const isStatic = (command: string[]): boolean => command.includes(staticServer);
