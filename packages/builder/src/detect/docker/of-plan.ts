import { posix } from 'node:path';
import { readPackageJson } from '../../node/package-json.ts';
import type { LackedPackage, Plan } from '../../plan.ts';
import { machineHas, type SystemParts } from '../../system-packages.ts';
import type { SourceTree } from '../source-tree.ts';
import type { DockerHints } from './read.ts';
import { readEnvSettings } from './settings.ts';

export interface DockerNotes {
  env: Record<string, string>;
  lacks: LackedPackage[];
  reasons: Plan['reasons'];
  warnings: string[];
}

interface NotedPlan {
  /** The agent's folder in the archive. */
  root: string;
  system: SystemParts | undefined;
  /** The build of the plan, which a step of the image may be. */
  build: string[] | null;
}

/** The settings that the plan takes from a Dockerfile besides start and build, and those that it leaves out. */
export function collectDockerNotes(docker: DockerHints, { root, system, build }: NotedPlan): DockerNotes {
  const { set, reserved } = readEnvSettings(docker.last, posix.join('/app', root), docker.locate);
  const notes: DockerNotes = { env: {}, lacks: [], reasons: [], warnings: [] };
  for (const { name, value } of set) notes.env[name] = value;
  for (const [line, names] of byLine(set))
    notes.reasons.push({ what: 'variables', value: names.join(', '), because: `Dockerfile:${line} (ENV)` });
  if (reserved.length > 0)
    notes.warnings.push(
      `The Dockerfile sets ${reserved.join(', ')}, which only Paddock sets: deploy with a database, or keep its address under Databases.`,
    );
  noteSystem(docker, system, notes);
  noteLeft(docker, build, notes);
  return notes;
}

/** The commands of RUN lines that build the source, if they are more than the script `build` of package.json, which runs anyway. */
export function findBuildCommand({ steps: { builds } }: DockerHints, tree: SourceTree): { command: string[]; because: string } | null {
  const isUsual = ({ command }: { command: string[] }) => command.length === 3 && command[1] === 'run' && command[2] === 'build';
  const isInstead = ({ command }: { command: string[] }) =>
    command[1] === 'run' && /^(?:build(?::prod(?:uction)?)?|compile)$/.test(command[2] ?? '');
  const [first] = builds;
  if (first === undefined || (builds.every(isUsual) && tree.has('package.json'))) return null;
  // An image that starts a development server needs no build; the start that Paddock finds may need one.
  const adds = !builds.some(isInstead) && hasBuildScript(tree);
  const commands = [
    ...builds.map(({ command, folder }) => (folder === undefined ? command.join(' ') : `(cd ${folder} && ${command.join(' ')})`)),
    ...(adds ? ['npm run build'] : []),
  ];
  const lines = [...new Set(builds.map((build) => build.line))].join(', ');
  const because = `Dockerfile:${lines} (RUN)${adds ? ', package.json (scripts.build)' : ''}`;
  return {
    command: commands.length === 1 && first.folder === undefined ? first.command : ['/bin/sh', '-c', commands.join(' && ')],
    because,
  };
}

function hasBuildScript(tree: SourceTree): boolean {
  try {
    return readPackageJson(tree.read('package.json') ?? '{}').scripts.build !== undefined;
  } catch {
    return false; // errors in the file are reported when the agent is planned
  }
}

/** The install with the packages and downloads of RUN lines. */
export function withFetches(
  { language, install }: Pick<Plan, 'language' | 'install'>,
  docker: DockerHints,
  reasons: Plan['reasons'],
): Plan['install'] {
  if (language !== 'python' || install === null) return install;
  const { fetches } = docker.steps;
  for (const { command, line } of fetches) reasons.push({ what: 'fetch', value: command.join(' '), because: `Dockerfile:${line} (RUN)` });
  if (fetches.length === 0) return install;
  // spaCy fetches its models with pip, which environments of uv do not have.
  const needsPip = fetches.some(({ command }) => command.includes('spacy')) && !install.extra.includes('pip');
  return { ...install, extra: needsPip ? [...install.extra, 'pip'] : install.extra, fetches: fetches.map(({ command }) => command) };
}

function byLine(list: { name: string; line: number }[]): Map<number, string[]> {
  const lines = new Map<number, string[]>();
  for (const { name, line } of list) lines.set(line, [...(lines.get(line) ?? []), name]);
  return lines;
}

/** Packages that are only needed to build images and to compile, or that are part of every sandbox. */
const inEveryImage = new Set(
  `ca-certificates tzdata locales bash coreutils dumb-init tini gosu su-exec sudo apt-utils apt-transport-https software-properties-common lsb-release gnupg
  gnupg2 libc6 libc6-compat gcompat musl shadow python python3 python3-pip python3-venv python3-dev py3-pip nodejs npm yarn`.split(/\s+/),
);
const isInEveryImage = (name: string) => inEveryImage.has(name) || /^python3\.\d+$/.test(name) || /-(dev|devel|headers)$/.test(name);

function noteSystem({ steps }: DockerHints, parts: SystemParts | undefined, notes: DockerNotes): void {
  const named = steps.system.filter(({ name }) => !isInEveryImage(name));
  const judged = named.map((each) => ({ ...each, has: parts === undefined ? undefined : machineHas(each.name, parts) }));
  const kinds: [boolean | undefined, string][] = [
    [true, 'on this machine'],
    [false, 'not on this machine'],
    [undefined, 'not looked for'],
  ];
  for (const [has, said] of kinds)
    for (const [line, names] of byLine(judged.filter((each) => each.has === has)))
      notes.reasons.push({ what: 'system packages', value: `${names.join(', ')}: ${said}`, because: `Dockerfile:${line} (RUN)` });
  notes.lacks = judged.filter(({ has }) => has === false).map(({ name, line }) => ({ name, because: `Dockerfile:${line}` }));
  if (notes.lacks.length === 0) return;
  const [are, them] = notes.lacks.length === 1 ? ['is', 'it'] : ['are', 'them'];
  notes.warnings.push(
    `The Dockerfile installs ${notes.lacks.map(({ name, because }) => `${name} (line ${because.split(':')[1]})`).join(', ')}, which ${are} not on this machine. What uses ${them} fails until the operator installs ${them}.`,
  );
}

const maxNamed = 12;

function noteLeft({ steps }: DockerHints, build: string[] | null, notes: DockerNotes): void {
  const left = steps.left.filter(({ what }) => what !== build?.join(' '));
  if (left.length === 0) return;
  const named = left.slice(0, maxNamed).map(({ what, line }) => `${what} (line ${line})`);
  const more = left.length > maxNamed ? ` and ${left.length - maxNamed} more` : '';
  notes.warnings.push(
    `Not run from the Dockerfile: ${named.join(', ')}${more}. If the agent needs what they make, put it into the archive or name the command as “build” in paddock.yaml.`,
  );
}

/** The reason for a folder. The root of an image is not a folder that a Dockerfile names, so COPY is the reason for it. */
export const whyThere = (line = 0) => (line === 0 ? 'Dockerfile (COPY)' : `Dockerfile:${line} (WORKDIR)`);

/** Whether a command names a file that only a build could make. The Dockerfile then knows the right file better. */
export const isOnlyBuilt = ([program, mark, file = '']: string[], tree: SourceTree) =>
  program === 'node' && mark === '--' && !tree.has(file);

/** Makes paths that are relative to the agent's folder absolute, for a start in another folder. */
export function pathFrom(path: string | undefined, root: string | undefined): Record<string, string> {
  if (path === undefined || root === undefined) return {};
  const placed = path.split(':').map((each) => (each.startsWith('/') ? each : posix.join('/app', root, each)));
  return { PYTHONPATH: placed.join(':') };
}
