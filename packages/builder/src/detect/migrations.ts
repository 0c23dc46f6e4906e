import { posix } from 'node:path';
import { lifecycleScripts } from '../lifecycle-scripts.ts';
import { readScripts } from '../node/package-json.ts';
import { commandLine, wordsOf } from './commands.ts';
import type { SourceTree } from './source-tree.ts';

interface Tool {
  /** A file that the tool needs at the top of the agent's folder. */
  setting: string;
  /** The tool also runs in a folder below that has the file. */
  isBelow?: true;
  /** A migration of the archive. */
  migration: RegExp;
  command: string;
  /** Words that stand together in a line if the archive applies its migrations itself. */
  applies: string[][];
  /** A line of the agent's own source that applies them. */
  source?: RegExp;
}

const tools: Tool[] = [
  {
    setting: 'prisma/schema.prisma',
    migration: /(?:^|\/)prisma\/migrations\/[^/]{1,200}\/migration\.sql$/,
    command: 'npx prisma migrate deploy',
    applies: [
      ['prisma', 'migrate deploy'],
      ['prisma', 'migrate dev'],
      ['prisma', 'db push'],
    ],
  },
  {
    setting: 'manage.py',
    migration: /(?:^|\/)migrations\/0001_\w{1,100}\.py$/,
    command: 'python manage.py migrate --noinput',
    applies: [['migrate']],
  },
  {
    setting: 'alembic.ini',
    isBelow: true,
    migration: /(?:^|\/)(?:alembic|migrations)\/versions\/[^/]{1,200}\.py$/,
    command: 'alembic upgrade head',
    applies: [['alembic', 'upgrade'], ['command.upgrade('], ['create_all']],
    source: /command\.upgrade\(|\bcreate_all\b|["']alembic["']?,?\s{0,9}["']?upgrade/,
  },
];
/** Files that a start does not load, unless it names them. */
const aside = /(?:^|\/)(?:tests?|scripts|examples?|docs|env\.py$|conftest\.py$|test_[^/]{0,100}\.py$)/;
const maxFiles = 100;
const maxCharacters = 200_000;
const maxDepth = 4;

/** Migrations of a database that the start does not apply. */
export interface Migrations {
  folder: string;
  /** The start with them before it, as a line for the agent's folder. */
  start: string;
}

/** The commands of a plan. */
interface Commands {
  start: string[];
  build?: string[] | null;
  /** The folder of the start below the agent's. */
  folder?: string;
  /** Lines that the plan offers already. */
  offered?: string[];
}

/**
 * The migrations that neither the start, the build, a script that these run, nor the agent's source applies; undefined if there are none. A
 * script or image that nothing here runs does not count.
 */
export function unappliedMigrations(tree: SourceTree, commands: Commands): Migrations | undefined {
  for (const tool of tools) {
    const place = settingFolder(tree, tool);
    const found = place === undefined ? undefined : tree.files.find((file) => file.startsWith(place) && tool.migration.test(file));
    if (place === undefined || found === undefined) continue;
    if (isApplied(tree, tool, commands)) return undefined;
    const before = place === '' ? tool.command : `(${commandLine(['cd', place.slice(0, -1)])} && ${tool.command})`;
    const inFolder = commands.folder === undefined ? '' : `${commandLine(['cd', commands.folder])} && `;
    return {
      folder: posix.dirname(tool.setting === 'prisma/schema.prisma' ? posix.dirname(found) : found),
      start: `${before} && ${inFolder}${lineOf(commands.start)}`,
    };
  }
  return undefined;
}

/** The folder of a tool's setting, nearest to the top, with a slash at its end; '' for the agent's folder. */
function settingFolder(tree: SourceTree, { setting, isBelow }: Tool): string | undefined {
  if (tree.has(setting)) return '';
  if (!isBelow) return undefined;
  const folders = tree.files
    .filter((file) => file.endsWith(`/${setting}`) && !aside.test(file))
    .map((file) => file.slice(0, -setting.length));
  const depth = (folder: string) => folder.split('/').length;
  return folders.filter((folder) => depth(folder) <= maxDepth).sort((a, b) => depth(a) - depth(b))[0];
}

function isApplied(tree: SourceTree, { migration, applies, source }: Tool, commands: Commands): boolean {
  const files = source === undefined ? [] : tree.files.filter((file) => file.endsWith('.py') && !migration.test(file) && !aside.test(file));
  return (
    files.slice(0, maxFiles).some((file) => source?.test((tree.read(file) ?? '').slice(0, maxCharacters))) ||
    linesRun(tree, commands).some((line) => applies.some((words) => words.every((word) => line.includes(word))))
  );
}

const lineOf = (start: string[]) => (start[1] === '-c' && start.length === 3 ? (start[2] ?? '') : commandLine(start));

/** The lines of the start and of the build, of the scripts that they call, and of those that an installation runs. */
function linesRun(tree: SourceTree, { start, build, folder = '', offered = [] }: Commands): string[] {
  const scripts = readScripts(tree.read('package.json'));
  const texts = [lineOf(start), lineOf(build ?? []), ...offered, ...lifecycleScripts.map((name) => scripts[name] ?? '')];
  const seen = new Set<string>();
  const add = (key: string, text: string | null | undefined) => {
    if (seen.has(key) || seen.size === maxFiles) return;
    seen.add(key);
    texts.push((text ?? '').slice(0, maxCharacters));
  };
  // A loop over an array also visits texts that are added during the loop.
  for (const text of texts) {
    const words = wordsOf([text]);
    for (const [at, word] of words.entries()) {
      if (isScript.test(word) && word.length < 500)
        for (const file of [posix.normalize(word), posix.join(folder, word)]) if (tree.has(file)) add(file, tree.read(file));
      const name = words[at + 1] === 'run' ? words[at + 2] : words[at + 1];
      if (runners.has(word) && name !== undefined && Object.hasOwn(scripts, name))
        for (const each of [`pre${name}`, name, `post${name}`]) add(`script ${each}`, scripts[each]);
    }
  }
  return texts.flatMap((text) => text.split('\n')).map((line) => line.replaceAll(/[\s"',[\]]+/g, ' '));
}

const isScript = /\.(?:sh|py|[cm]?[jt]s)$/;
const runners = new Set(['npm', 'pnpm', 'yarn', 'bun']);
