import { BuildError } from '../build-error.ts';
import { readDockerfile } from '../detect/docker/read.ts';
import type { SourceTree } from '../detect/source-tree.ts';
import type { PythonDependencies, PythonManager, StaleLock } from '../python-dependencies.ts';
import { condaRequirements } from './conda.ts';
import { type LockedRequirements, named, readPdmLock, readPipfileLock, readPoetryLock } from './locks.ts';
import { pipfileMarker } from './markers.ts';
import { type Pyproject, poetryConstraint, readPyproject, readToml, table, texts } from './pyproject.ts';
import { normaliseName, readRequirement, readRequirementNames, readRequirementsFile } from './requirements.ts';
import { setuptoolsProject } from './setuptools.ts';

/** The project's pyproject.toml; null if it only configures tools, so that setup.cfg and setup.py describe the project. */
export function findPyproject(tree: SourceTree): Pyproject | null {
  const source = tree.read('pyproject.toml');
  const pyproject = source === null ? null : readPyproject(source);
  return pyproject?.isProject === true ? pyproject : (setuptoolsProject(tree) ?? pyproject);
}

/** The first match in the builder's order, lock files first; null if nothing names dependencies. */
export function pythonDependencies(tree: SourceTree, pyproject: Pyproject | null): PythonDependencies | null {
  const lock = tree.read('uv.lock');
  if (lock !== null && isCompiledList(lock)) return fromList(tree, 'uv.lock');
  if (lock !== null && pyproject !== null && !isUnused(lock, tree)) return fromUvLock(lock, tree, pyproject);
  if (tree.has('poetry.lock')) return fromLock('poetry.lock', tree, readPoetryLock(tree, pyproject));
  if (tree.has('pdm.lock')) return fromLock('pdm.lock', tree, readPdmLock(tree, pyproject));
  if (tree.has('Pipfile.lock'))
    return fromLock('Pipfile.lock', tree, readPipfileLock(tree, tree.has('Pipfile') ? wantedByPipfile(tree) : []));
  if (tree.has('requirements.txt')) return fromList(tree);
  if (pyproject?.isProject === true) {
    const { file, dependencies: lines, needsSource } = pyproject;
    return {
      file,
      names: readRequirementNames(lines),
      inputs: file === 'pyproject.toml' ? [file] : ['setup.cfg', 'setup.py', 'pyproject.toml'].filter(tree.has),
      needsSource,
      lines: needsSource ? null : lines,
      locked: false,
    };
  }
  if (tree.has('Pipfile')) {
    const lines = pipfileRequirements(tree);
    return { file: 'Pipfile', names: readRequirementNames(lines), inputs: ['Pipfile'], needsSource: false, lines, locked: false };
  }
  const conda = condaRequirements(tree);
  if (conda !== null) {
    const { lines, inputs } = conda;
    return { file: 'environment.yml', names: readRequirementNames(lines), inputs, needsSource: false, lines, locked: false };
  }
  const near = tree.files.find((file) => nearList.test(file));
  return fromDockerfile(tree) ?? (near === undefined ? null : fromList(tree, near));
}

/** Lists that pip reads only if it is told their names: misspelt ones, and those of a place to run. */
const nearList =
  /^(?:requirement|requirments|requierments|requirements?[-_.](?:prod|production|base|main|app|server|agent))\.txt$|^requirements\/(?:prod|production|base|main)\.txt$/;

/** `uv pip compile -o uv.lock` writes a requirement list under the name of a lock, which `uv sync` refuses. */
const isCompiledList = (lock: string) => /^# {1,4}uv pip compile /m.test(lock.slice(0, 500));

/** A lock of the project alone, as `uv init` leaves it, beside a list with packages: the author installs the list. */
function isUnused(lock: string, tree: SourceTree): boolean {
  if (!tree.has('requirements.txt')) return false;
  const packages = readToml(lock, 'uv.lock').package;
  return (!Array.isArray(packages) || packages.length <= 1) && readRequirementsFile(tree, 'requirements.txt').lines.length > 0;
}

/** requirements.txt, or the file used in its place. */
function fromList(tree: SourceTree, list?: string): PythonDependencies {
  const { lines, inputs, pinned, needsSource } = readRequirementsFile(tree, list ?? 'requirements.txt');
  const place = { ...(list === undefined ? {} : { list }), ...(pinned === undefined ? {} : { pinned }) };
  return { file: 'requirements.txt', ...place, names: readRequirementNames(lines), inputs, needsSource, lines: null, locked: false };
}

/** The packages that RUN lines install, if no file of a package client names dependencies. */
function fromDockerfile(tree: SourceTree): PythonDependencies | null {
  const steps = readDockerfile(tree)?.steps;
  const list = steps?.lists.find(({ path }) => tree.has(path))?.path;
  if (list !== undefined) return fromList(tree, list);
  const lines = steps?.python.map(({ requirement }) => requirement) ?? [];
  return lines.length === 0
    ? null
    : { file: 'Dockerfile', names: readRequirementNames(lines), inputs: ['Dockerfile'], needsSource: false, lines, locked: false };
}

function fromLock(file: PythonManager, tree: SourceTree, { lines, names, stale }: LockedRequirements): PythonDependencies {
  const inputs = [file, ...['pyproject.toml', 'Pipfile'].filter((f) => tree.has(f))];
  return { file, names, inputs, needsSource: false, lines, locked: true, ...(stale === undefined ? {} : { stale }) };
}

function fromUvLock(lock: string, tree: SourceTree, pyproject: Pyproject): PythonDependencies {
  const list = readToml(lock, 'uv.lock').package;
  const packages = Array.isArray(list) ? list.map(table) : [];
  const local = packages.some(
    (p) =>
      ['directory', 'path'].some((k) => table(p.source)[k] !== undefined) ||
      ['editable', 'virtual'].some((k) => ![undefined, '.'].includes(table(p.source)[k] as string | undefined)),
  );
  const names = readRequirementNames(pyproject.dependencies);
  for (const p of packages) names.add(normaliseName(String(p.name)));
  // uv queries the build backend for the version, although it does not install the project.
  const { version } = pyproject;
  const isFile = typeof version === 'string' && tree.has(version);
  return {
    file: 'uv.lock',
    names,
    inputs: ['uv.lock', 'pyproject.toml', ...(isFile ? [version] : [])],
    needsSource: local || pyproject.needsSource || (version !== undefined && !isFile),
    lines: null,
    locked: true,
    ...uvStale(packages, pyproject),
  };
}

/** Requirements of pyproject.toml that uv.lock does not know, or the reverse. uv itself decides whether the lock matches. */
function uvStale(packages: Record<string, unknown>[], { dependencies }: Pyproject): { stale?: StaleLock } {
  const own = packages.find((p) => ['editable', 'virtual'].some((key) => table(p.source)[key] === '.'));
  const known = table(own?.metadata)['requires-dist'];
  if (!Array.isArray(known)) return {};
  const locked = new Set(known.map((one) => normaliseName(String(table(one).name))));
  const wanted = new Set(dependencies.map((line) => readRequirement(line)?.name).filter((name) => name !== undefined));
  const missing = [...wanted].filter((name) => !locked.has(name));
  const why = missing.length > 0 ? `it lacks ${named(missing)}` : 'it was made for other versions';
  return { stale: { why, wanted: [], command: 'uv lock' } };
}

/** A Pipfile with local folders is installed as its lock lists it. */
function wantedByPipfile(tree: SourceTree): string[] {
  const packages = table(readToml(tree.read('Pipfile') ?? '', 'Pipfile').packages);
  return Object.values(packages).some((value) => table(value).path !== undefined) ? [] : pipfileRequirements(tree);
}

function pipfileRequirements(tree: SourceTree): string[] {
  const packages = table(readToml(tree.read('Pipfile') ?? '', 'Pipfile').packages);
  return Object.entries(packages).map(([name, value]) => {
    const entry = table(value);
    if (entry.path !== undefined)
      throw new BuildError('detect', 'pipfile_path', {
        message: `Pipfile takes “${name}” from a folder, which Paddock doesn't install without a lock file.`,
        hint: 'Use a requirements.txt with that folder instead.',
      });
    const extras = texts(entry.extras);
    const full = extras.length > 0 ? `${name}[${extras.join(',')}]` : name;
    const marker = pipfileMarker(entry);
    const where = marker === undefined ? '' : ` ; ${marker}`;
    if (typeof entry.git === 'string') return `${full} @ git+${entry.git}${typeof entry.ref === 'string' ? `@${entry.ref}` : ''}${where}`;
    const wish = typeof value === 'string' ? value : entry.version;
    return `${full}${typeof wish === 'string' ? poetryConstraint(wish) : ''}${where}`;
  });
}
