import type { SourceTree } from '../detect/source-tree.ts';
import { packageOfModule } from '../module-packages.ts';
import { type EntryFile, thirdParty } from './entry.ts';
import { importedBy } from './imported.ts';
import { readToml, table } from './pyproject.ts';

/** Maximum modules that are searched among the installed packages when one is missing. */
const maxUnlisted = 40;

interface Start {
  /** Modules of the archive's other folders. */
  own: Set<string>;
  command: string[];
  /** Names of the listed packages. */
  listed: Set<string>;
}

/**
 * Modules that are imported as soon as the start loads the files, and that no listed package is named after. Most of them come with another
 * package. If one of them is missing, the others are reported with it.
 */
export function unlistedModules(files: EntryFile[], tree: SourceTree, { own, command, listed }: Start): string[] {
  const started = (startedFiles(files, command) ?? files).map(({ path, module }) => ({
    path,
    module: { ...module, imports: module.firmImports },
  }));
  const names = new Set([...listed].map(plainName));
  const isListed = (module: string) => names.has(plainName(packageOfModule(module) ?? module));
  // A name that is also a file or folder may be a module of the archive itself.
  const parts = new Set(tree.files.flatMap((path) => path.replace(/\.py$/, '').split('/')));
  const isOwn = (name: string) => own.has(name) || parts.has(name) || isProject(name, tree);
  const modules = thirdParty(started, tree).filter((name) => name !== 'google' && !isOwn(name) && !isListed(name));
  return modules.slice(0, maxUnlisted);
}

/** The name of the project, or one that its build gives to a folder. A package of that name in a registry is a stranger's. */
function isProject(module: string, tree: SourceTree): boolean {
  const source = tree.read('pyproject.toml');
  if (source === null) return false;
  const { project, tool } = readToml(source, 'pyproject.toml');
  const { poetry } = table(tool);
  const given = Object.values(renamedFolders(tool));
  const names = [table(project).name, table(poetry).name].filter((name) => typeof name === 'string');
  return given.includes(module) || names.some((name) => withoutSigns(name) === withoutSigns(module));
}

const renamedFolders = (tool: unknown) => table(table(table(table(tool).hatch).build).sources);

/**
 * A module that the start imports and that pyproject.toml makes of a folder of another name, and the file that imports it: it exists only if
 * the project itself is installed. Undefined if there is none.
 */
export function renamedModule(files: EntryFile[], tree: SourceTree, command: string[]): { module: string; file: string } | undefined {
  const source = tree.read('pyproject.toml');
  if (source === null) return undefined;
  const { tool, 'build-system': builds } = readToml(source, 'pyproject.toml');
  const isThere = (name: string) => tree.has(`${name}.py`) || tree.hasFolder(name);
  const given = Object.values(renamedFolders(tool)).filter((name): name is string => typeof name === 'string' && !isThere(name));
  if (builds === undefined || given.length === 0) return undefined;
  for (const { path, module } of startedFiles(files, command) ?? files) {
    const name = given.find((each) => module.imports.has(each));
    if (name !== undefined) return { module: name, file: path };
  }
  return undefined;
}

const withoutSigns = (name: string) => name.toLowerCase().replaceAll(/[-_.]/g, '');

const plainName = (name: string) => (name.split('[', 1)[0] ?? name).toLowerCase().replaceAll(/[-_.]+/g, '-');

/** Scripts that the start does not load: each is run by hand. None if the command names no file. */
export function otherScripts(files: EntryFile[], command: string[]): string[] {
  const started = startedFiles(files, command);
  if (started === undefined) return [];
  return files.filter((file) => file.module.hasMain && !started.includes(file)).map(({ path }) => path);
}

/** The files that the command names, and the files that these import; undefined if it names none. */
export function startedFiles(files: EntryFile[], command: string[]): EntryFile[] | undefined {
  const words = new Set(command.flatMap((word) => [word, `${(word.split(':', 1)[0] ?? '').replaceAll('.', '/')}.py`]));
  const first = files.filter(({ path }) => words.has(path) || words.has(path.replace(/^src\//, '')));
  if (first.length === 0) return undefined;
  const importers = importedBy(files);
  const started = new Set(first.map(({ path }) => path));
  for (let before = 0; before < started.size; ) {
    before = started.size;
    for (const [path, by] of importers) if (by.some((importer) => started.has(importer))) started.add(path);
  }
  return files.filter(({ path }) => started.has(path));
}
