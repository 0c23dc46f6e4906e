import { posix } from 'node:path';
import { readPyproject } from '../python/pyproject.ts';
import type { SourceTree } from './source-tree.ts';
import { spokenCommands } from './spoken.ts';

/** Files that name the dependencies of a Python project. */
export const pythonFiles = ['requirements.txt', 'pyproject.toml', 'Pipfile', 'uv.lock', 'poetry.lock', 'pdm.lock'];
/** Files that make a folder an agent of its own. */
const projectFiles = ['requirements.txt', 'package.json', 'Pipfile', 'environment.yml', 'langgraph.json', 'Procfile'];
const entryFile = /^(main|app|server|agent|bot|streamlit_app|index)\.(py|[cm]?js|[cm]?ts)$/;
const aside = /(^|\/)(\.[^/]+|tests?|docs?|types|scripts|assets|static|public|notebooks|migrations)(\/|$)/;
/** Bound of the project files that are parsed before the user has chosen a folder. */
const maxProjectsRead = 100;

/** Folders that name their own dependencies: at most two levels deep, or, where there are none, at most four. */
export function projectFolders(tree: SourceTree): string[] {
  const near = projectsWithin(tree, maxDepth);
  return near.length > 0 ? near : projectsWithin(tree, maxDepth + 2);
}

function projectsWithin(tree: SourceTree, depth: number): string[] {
  let read = 0;
  return outermost(
    foldersOf(tree, depth).filter(
      (f) =>
        projectFiles.some((name) => tree.has(`${f}/${name}`)) ||
        (tree.has(`${f}/pyproject.toml`) && read++ < maxProjectsRead && isProject(tree, `${f}/pyproject.toml`)),
    ),
  );
}

/** Folders that look like an agent: those that name dependencies, otherwise those with an entry file. */
export function agentFolders(tree: SourceTree): string[] {
  const projects = projectFolders(tree);
  return projects.length > 0 ? projects : entryFolders(tree);
}

/** Folders, at most two levels deep, with an entry file, and outside of those that name their own dependencies. */
export function entryFolders(tree: SourceTree): string[] {
  const projects = projectFolders(tree);
  const withEntry = new Set(tree.files.filter((path) => entryFile.test(posix.basename(path))).map((path) => posix.dirname(path)));
  const isInside = (folder: string) => projects.some((project) => folder === project || folder.startsWith(`${project}/`));
  return outermost(foldersOf(tree).filter((folder) => withEntry.has(folder) && !isInside(folder)));
}

const maxDepth = 2;

function foldersOf(tree: SourceTree, depth = maxDepth): string[] {
  return [...new Set(tree.files.map((f) => posix.dirname(f)))].filter((f) => f !== '.' && f.split('/').length <= depth && !aside.test(f));
}

// A package inside an agent's folder is part of the agent.
function outermost(folders: string[]): string[] {
  const all = new Set(folders);
  return folders.filter((folder) => !all.has(posix.dirname(folder))).sort();
}

function isProject(tree: SourceTree, path: string): boolean {
  try {
    return readPyproject(tree.read(path) ?? '').isProject;
  } catch {
    return false; // a broken file counts once its folder is chosen; it is reported then
  }
}

/** Source files that could be run, for a message: first those that the archive's documents run, then those nearest to the root. */
export function runnableFiles(tree: SourceTree, kind: RegExp): string[] {
  const said = spokenCommands(tree).commands.flatMap(({ words }) =>
    words.map((word) => word.replace(/^\.\//, '')).filter((word) => kind.test(word) && tree.has(word)),
  );
  return [...new Set([...said, ...likely(tree, kind)])].slice(0, 5);
}

const likely = (tree: SourceTree, kind: RegExp) =>
  tree.files
    .filter((f) => kind.test(f) && !aside.test(f) && !/(^|\/)(__init__|setup|conftest|[^/]*\.config|[^/]*\.d)\.\w+$/.test(f))
    .sort((a, b) => a.split('/').length - b.split('/').length || (a < b ? -1 : 1));

const others: [RegExp, string][] = [
  [/^go\.mod$/, 'Go'],
  [/^Cargo\.toml$/, 'Rust'],
  [/^(pom\.xml|build\.gradle(\.kts)?)$/, 'Java or Kotlin'],
  [/^Gemfile$/, 'Ruby'],
  [/^composer\.json$/, 'PHP'],
  [/^mix\.exs$/, 'Elixir'],
  [/\.(csproj|fsproj|sln)$/, '.NET'],
];

/** The language of an archive that Paddock does not run, with the file that shows it. */
export function otherLanguage(tree: SourceTree): { name: string; because: string } | null {
  for (const [pattern, name] of others) {
    const because = tree.files.find((f) => !f.includes('/') && pattern.test(f));
    if (because !== undefined) return { name, because };
  }
  return null;
}
