import { BuildError } from '../build-error.ts';
import type { SourceTree } from '../detect/source-tree.ts';
import type { PythonDependencies, PythonManager } from '../python-dependencies.ts';
import { readPdmLock, readPipfileLock, readPoetryLock } from './locks.ts';
import { type Pyproject, poetryConstraint, readPyproject, readToml, table, texts } from './pyproject.ts';
import { namesOf, normaliseName, readRequirementsFile } from './requirements.ts';

export function pyprojectOf(tree: SourceTree): Pyproject | null {
  const source = tree.read('pyproject.toml');
  return source === null ? null : readPyproject(source);
}

/** The first match in the builder's order, lock files first; null when nothing names dependencies. */
export function pythonDependencies(tree: SourceTree, pyproject: Pyproject | null): PythonDependencies | null {
  if (tree.has('uv.lock') && pyproject !== null) return fromUvLock(tree, pyproject);
  if (tree.has('poetry.lock')) return fromLock('poetry.lock', tree, readPoetryLock(tree, pyproject));
  if (tree.has('pdm.lock')) return fromLock('pdm.lock', tree, readPdmLock(tree, pyproject));
  if (tree.has('Pipfile.lock')) return fromLock('Pipfile.lock', tree, readPipfileLock(tree));
  if (tree.has('requirements.txt')) {
    const { lines, inputs, needsSource } = readRequirementsFile(tree, 'requirements.txt');
    return { file: 'requirements.txt', names: namesOf(lines), inputs, needsSource, lines: null, locked: false };
  }
  if (pyproject?.isProject === true) {
    const { dependencies: lines, needsSource } = pyproject;
    return {
      file: 'pyproject.toml',
      names: namesOf(lines),
      inputs: ['pyproject.toml'],
      needsSource,
      lines: needsSource ? null : lines,
      locked: false,
    };
  }
  if (tree.has('Pipfile')) {
    const lines = pipfileRequirements(tree);
    return { file: 'Pipfile', names: namesOf(lines), inputs: ['Pipfile'], needsSource: false, lines, locked: false };
  }
  return null;
}

function fromLock(file: PythonManager, tree: SourceTree, { lines, names }: { lines: string[]; names: Set<string> }): PythonDependencies {
  const inputs = [file, ...['pyproject.toml', 'Pipfile'].filter((f) => tree.has(f))];
  return { file, names, inputs, needsSource: false, lines, locked: true };
}

function fromUvLock(tree: SourceTree, pyproject: Pyproject): PythonDependencies {
  const list = readToml(tree.read('uv.lock') ?? '', 'uv.lock').package;
  const packages = Array.isArray(list) ? list.map(table) : [];
  const local = packages.some(
    (p) =>
      ['directory', 'path'].some((k) => table(p.source)[k] !== undefined) ||
      ['editable', 'virtual'].some((k) => ![undefined, '.'].includes(table(p.source)[k] as string | undefined)),
  );
  const names = namesOf(pyproject.dependencies);
  for (const p of packages) names.add(normaliseName(String(p.name)));
  return {
    file: 'uv.lock',
    names,
    inputs: ['uv.lock', 'pyproject.toml'],
    needsSource: local || pyproject.needsSource,
    lines: null,
    locked: true,
  };
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
    if (typeof entry.git === 'string') return `${full} @ git+${entry.git}${typeof entry.ref === 'string' ? `@${entry.ref}` : ''}`;
    const wish = typeof value === 'string' ? value : entry.version;
    return `${full}${typeof wish === 'string' ? poetryConstraint(wish) : ''}`;
  });
}
