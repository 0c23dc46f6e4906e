import { posix } from 'node:path';
import { BuildError, quoteName } from '../build-error.ts';
import type { Choice, Plan } from '../plan.ts';
import { wordsOf } from './commands.ts';
import { readDockerfile } from './docker/read.ts';
import { isInside } from './manifest.ts';
import { isAside, packageStarts } from './own-files.ts';
import { hasOnlyPages } from './pages.ts';
import type { SourceTree } from './source-tree.ts';
import { agentFolders, entryFolders, projectFolders, pythonFiles } from './suggestions.ts';

/** Bound of the described folders: each one is planned. */
const maxFolders = 12;

export function resolveRoot(tree: SourceTree, wish: string | undefined): string {
  const root = plainFolder(wish ?? '');
  if (root === '') return '';
  if (!isInside(root) || !tree.hasFolder(root)) {
    throw new BuildError('detect', 'root_missing', {
      message: `The archive has no folder ${quoteName(root)}, which “root” names.`,
      hint: `Folders: ${folders(tree) || 'none'}.`,
    });
  }
  return root;
}

/** The folder without a leading `./` and trailing slashes; '' for the archive's root. */
function plainFolder(wish: string): string {
  let from = 0;
  let to = wish.length;
  while (wish.startsWith('./', from)) from += 2;
  while (to > from && wish[to - 1] === '/') to -= 1;
  const folder = wish.slice(from, to);
  return folder === '.' ? '' : folder;
}

function folders(tree: SourceTree): string {
  return [...new Set(tree.files.filter((f) => f.includes('/')).map((f) => f.split('/')[0]))].slice(0, 20).join(', ');
}

/** Folders that look like an agent. Where those that name dependencies have only pages, folders with an entry file count, too. */
function candidates(tree: SourceTree): string[] {
  const folders = agentFolders(tree);
  return folders.length > 0 && folders.every((folder) => hasOnlyPages(tree, folder)) ? [...folders, ...entryFolders(tree)] : folders;
}

export interface SoleFolder {
  folder: string;
  because: string;
  /** Folders that have only pages. */
  pages: string[];
}

/**
 * The folder of the agent if the archive's root has no agent: the only candidate, the only one with more than pages, or the folder in which
 * the Dockerfile starts. A start command that names files of the top keeps the top.
 */
export function soleFolder(tree: SourceTree, start?: string | string[]): SoleFolder | undefined {
  const found = findSoleFolder(tree);
  return found === undefined || start === undefined || !isOfTop(tree, found.folder, start) ? found : undefined;
}

/** Whether a start command names files of the archive's top, or the folder itself. */
function isOfTop(tree: SourceTree, folder: string, start: string | string[]): boolean {
  const first = folder.split('/')[0] ?? folder;
  return wordsOf([start].flat()).some((word) => {
    const path = word.replace(/^\.\//, '');
    return tree.has(path) || path === first || path.startsWith(`${first}/`) || path.startsWith(`${first}.`);
  });
}

function findSoleFolder(tree: SourceTree): SoleFolder | undefined {
  const projects = projectFolders(tree);
  const atRoot = tree.files.some(
    (f) => /^([^/]+\.(py|[cm]?[jt]s|html)|start\.sh|Procfile)$/.test(f) && !(projects.length > 0 && isHelper(f)),
  );
  if (atRoot || pythonFiles.some(tree.has) || (tree.has('package.json') && !onlyDirects(tree, projects))) return undefined;
  const folders = candidates(tree);
  const because = 'the only folder with an agent in it';
  if (tree.has('Dockerfile')) {
    const started = folders.find((folder) => folder === readDockerfile(tree)?.start?.folder);
    return started === undefined ? undefined : { folder: started, because, pages: [] };
  }
  const pages = folders.length > 1 ? folders.filter((folder) => hasOnlyPages(tree, folder)) : [];
  const [folder, ...others] = folders.filter((each) => !pages.includes(each));
  if (folder === undefined || others.length > 0 || (/^src(\/|$)/.test(folder) && !projects.includes(folder))) return undefined;
  return { folder, because: pages.length === 0 ? because : 'the only folder that has more than pages', pages };
}

/** Scripts that test or prepare the agent in the folder beside them. */
const isHelper = (file: string) =>
  /^(?:test_|run_(?:\w{1,40}_)?tests?\.|generate_|conftest\.|noxfile\.)|(?:_test|\.config|\.test)\.\w{1,4}$/.test(file);

/** Whether the package.json at the top only runs those of the folders below: it starts nothing, and no source lies outside of these. */
function onlyDirects(tree: SourceTree, projects: string[]): boolean {
  if (projects.length === 0 || packageStarts(tree)) return false;
  const outside = tree.files.filter((file) => !projects.some((folder) => file.startsWith(`${folder}/`)));
  return !outside.some((file) => isSource.test(file) && !isAside(file) && !isHelper(file));
}

const isSource = /\.(?:py|[cm]?[jt]sx?|vue|svelte|html)$/;

const isWorkspace = (tree: SourceTree) => /"workspaces"\s{0,20}:/.test(tree.read('package.json') ?? '') || tree.has('pnpm-workspace.yaml');

interface Failed {
  whole: SourceTree;
  /** The folder that the user chose, if any. */
  root: string | undefined;
  /** Makes the plan of a folder. */
  below: (root: string) => Plan;
}

/** Adds to an error that reports that nothing can be started here the folders where something can. */
export function withFolders(error: unknown, { whole, root, below }: Failed): unknown {
  if (!(error instanceof BuildError) || !['nothing_found', 'start_missing', 'dependencies_missing', 'image_only'].includes(error.code))
    return error;
  const base = plainFolder(root ?? '');
  const folders = candidates(whole.below(base)).map((folder) => posix.join(base, folder));
  if (folders.length === 0) return error;
  const offered = described(folders, below);
  const shown = offered.map(({ root: folder, because, asks }) => (because === '' ? folder : `${folder} (${because}${asksFor(asks)})`));
  const best = offered.find(({ because }) => because !== '')?.root ?? folders[0];
  const more = folders.length > shown.length ? ` and ${folders.length - shown.length} more` : '';
  const offer = `Folders with an agent of their own: ${shown.join(', ')}${more}. Deploy one of them: name it as Folder in the build settings, as --root, or as “root: ${best}” in a paddock.yaml.`;
  const choices = [...error.choices, ...choicesIn(offered)];
  if (error.code === 'nothing_found')
    return new BuildError('detect', error.code, { message: 'Nothing at the top of the archive says what it is.', hint: offer, choices });
  return new BuildError('detect', error.code, { message: error.message, hint: `${error.hint} ${offer}`, choices });
}

/** The folders of a workspace, or those of pages beside the agent, which could be deployed instead. */
export function folderChoices(whole: SourceTree, below: (root: string) => Plan): Choice[] {
  const sole = soleFolder(whole);
  if (sole !== undefined) return choicesIn(described(sole.pages, below));
  return choicesIn(described(isWorkspace(whole) ? projectFolders(whole) : pagesBeside(whole), below));
}

const ofDocuments = /^(?:docs?|website|site|landing|examples?|samples?|storybook)(?:\/|$)/;

/** Folders with pages alone, beside an agent at the top of the archive: a front end that is built and served by itself. */
const pagesBeside = (tree: SourceTree): string[] =>
  projectFolders(tree)
    .filter((folder) => !ofDocuments.test(folder) && hasOnlyPages(tree, folder))
    .slice(0, maxFolders);

/** Pages in a folder that the build does not name are not built. */
export const warnOfPages = (whole: SourceTree, build: string[] | null): string[] =>
  pagesBeside(whole)
    .filter((folder) => !build?.join(' ').includes(folder))
    .map(
      (folder) =>
        `${folder} has pages of its own, which are not built here: unless the archive has them built, deploy that Folder as a project of its own.`,
    );

interface Described extends Choice {
  root: string;
  /** The variables that it requires. */
  asks: string[];
}

const choicesIn = (folders: Described[]): Choice[] =>
  folders.filter(({ because }) => because !== '').map(({ root, because }) => ({ root, because }));

/** Bound of the names listed for each folder. The deployment of the folder lists all. */
const maxNames = 8;

/** Lists the required variables, so that they can be set with the first deployment of the folder. */
function asksFor(names: string[]): string {
  if (names.length === 0) return '';
  const more = names.length > maxNames ? ` and ${names.length - maxNames} more` : '';
  return `; asks for ${names.slice(0, maxNames).join(', ')}${more}`;
}

const languages = { python: 'Python', node: 'Node', static: 'static site', shell: 'shell script' };

/** A description of each folder; no entry for a folder that has no plan. */
function described(folders: string[], below: (root: string) => Plan): Described[] {
  return folders.slice(0, maxFolders).map((root) => {
    try {
      const { language, framework, type, asked_variables: asked = [] } = below(root);
      const kind = framework ?? (type === 'web' && language !== 'static' ? 'web' : undefined);
      const asks = asked.filter(({ required }) => required).map(({ name }) => name);
      return { root, because: [languages[language], kind].filter((word) => word !== undefined).join(', '), asks };
    } catch (error) {
      if (!(error instanceof BuildError)) throw error;
      return { root, because: '', asks: [] };
    }
  });
}
