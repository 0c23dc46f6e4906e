import { readDockerfile } from '../detect/docker/read.ts';
import type { SourceTree } from '../detect/source-tree.ts';
import type { Plan } from '../plan.ts';
import type { PythonDependencies } from '../python-dependencies.ts';
import { type Pyproject, readToml, table } from './pyproject.ts';
import { normaliseName, readRequirement, readRequirementNames, readRequirementsFile } from './requirements.ts';

/** A requirement that an image installs besides those of the dependencies' file. */
interface ImagePackage {
  requirement: string;
  /** Absent if a line of the Dockerfile names it by itself. */
  from?: { what: 'list' | 'extra'; value: string };
  line: number;
}

const maxPackages = 300;
const ofDevelopment = /(?:^|[/._-])(?:dev|develop|development|tests?|lint|docs?)(?:[/._-]|$)/i;

/**
 * The packages that the RUN lines of a Dockerfile install besides the list or lock: packages that a line names, further lists of the
 * archive, and extras and groups of the project. Adds the names of the lists and extras to those of the dependencies.
 */
export function imagePackages(tree: SourceTree, dependencies: PythonDependencies, pyproject: Pyproject | null): ImagePackage[] {
  const steps = dependencies.file === 'Dockerfile' ? undefined : readDockerfile(tree)?.steps;
  if (steps === undefined) return [];
  const { names, inputs } = dependencies;
  const lists = steps.lists.filter(({ path }) => tree.has(path) && !inputs.includes(path) && !ofDevelopment.test(path));
  const found: ImagePackage[] = lists.flatMap(({ path, line }) =>
    readRequirementsFile(tree, path).lines.map((text) => ({
      requirement: withoutHash(text),
      from: { what: 'list' as const, value: path },
      line,
    })),
  );
  const all = [...(pyproject?.extras?.keys() ?? [])].filter((name) => !ofDevelopment.test(name));
  const lock = new Map(inputs.includes('uv.lock') || inputs.includes('poetry.lock') ? lockedVersions(tree, inputs[0] ?? '') : []);
  for (const { name, line } of steps.extras)
    for (const extra of name === '*' ? all : [name])
      for (const text of extraLines(extra, pyproject))
        found.push({ requirement: pinned(text, lock), from: { what: 'extra' as const, value: extra }, line });
  // The names of uv.lock are those of all its extras.
  const installed = dependencies.file === 'uv.lock' ? readRequirementNames(pyproject?.dependencies ?? []) : names;
  const isNew = ({ requirement, from }: ImagePackage) =>
    [...readRequirementNames([requirement])].some((name) => !(from?.what === 'extra' ? installed : names).has(name));
  const added = unique(found.filter(isNew)).slice(0, maxPackages);
  const alone = steps.python.filter(({ requirement }) => !names.has(readRequirement(requirement)?.name ?? ''));
  for (const name of readRequirementNames(added.map(({ requirement }) => requirement))) names.add(name);
  return [...added, ...alone.filter(({ requirement }) => !added.some((one) => one.requirement === requirement))];
}

function unique(packages: ImagePackage[]): ImagePackage[] {
  const seen = new Set<string>();
  return packages.filter(({ requirement }) => {
    const name = readRequirement(requirement)?.name;
    if (name === undefined || seen.has(name)) return false;
    return seen.add(name);
  });
}

const withoutHash = (line: string) => line.split(' --', 1)[0]?.trim() ?? '';

/** The requirements of an extra. It may name other extras of the project: `all = ["desk[pg,redis]"]`. */
function extraLines(name: string, pyproject: Pyproject | null): string[] {
  const lines: string[] = [];
  const extras = new Set([normaliseName(name)]);
  // A loop over a set also visits entries that are added during the loop.
  for (const extra of extras)
    for (const line of [...(pyproject?.extras?.get(extra) ?? []), ...(pyproject?.groups?.get(extra) ?? [])]) {
      const own = readRequirement(line);
      if (own !== null && pyproject?.name && own.name === normaliseName(pyproject.name)) for (const other of own.extras) extras.add(other);
      else lines.push(line);
    }
  return lines;
}

/** The versions of packages that a lock has in one version. */
export function lockedVersions(tree: SourceTree, lock: string): [string, string][] {
  const list = readToml(tree.read(lock) ?? '', lock).package;
  const packages = (Array.isArray(list) ? list : []).map(table);
  const count = new Map<string, number>();
  for (const { name } of packages) count.set(String(name), (count.get(String(name)) ?? 0) + 1);
  return packages
    .filter(({ name, source }) => count.get(String(name)) === 1 && (table(source).registry !== undefined || source === undefined))
    .map(({ name, version }) => [normaliseName(String(name)), String(version)]);
}

/** A requirement with the version of the lock. */
export function pinned(line: string, lock: ReadonlyMap<string, string>): string {
  const read = readRequirement(line);
  const version = read === null ? undefined : lock.get(read.name);
  if (read === null || version === undefined || !/^[\w.!+-]{1,60}$/.test(version)) return line;
  const marker = line.includes(';') ? ` ;${line.slice(line.indexOf(';') + 1)}` : '';
  return `${read.name}${read.extras.length > 0 ? `[${read.extras.join(',')}]` : ''}==${version}${marker}`;
}

/** The packages as requirements, with the reason for each list, extra and single package. */
export function listRequirements(packages: ImagePackage[], reasons: Plan['reasons']): string[] {
  const seen = new Set<string>();
  for (const { requirement, from, line } of packages) {
    const what = from === undefined ? 'package' : { list: 'package list', extra: 'extra' }[from.what];
    const reason = { what, value: from?.value ?? requirement, because: `Dockerfile:${line} (RUN)` };
    if (!seen.has(JSON.stringify(reason))) reasons.push(reason);
    seen.add(JSON.stringify(reason));
  }
  return packages.map(({ requirement }) => requirement);
}
