import { BuildError } from '../build-error.ts';
import { table } from '../python/pyproject.ts';

export interface PackageJson {
  scripts: Record<string, string>;
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
  main: string | null;
  /** Entry for bundlers, and for bun. */
  module: string | null;
  /** File of the package's only command. */
  bin: string | null;
  /** Files of the package's commands, by name. */
  bins: Record<string, string>;
  engine: string | null;
  packageManager: string | null;
  name: string | null;
  version: string | null;
  /** Its files are ES modules: `"type": "module"`. */
  isModule: boolean;
  isWorkspace: boolean;
  /** Patterns of the members' folders; undefined if the package is not a workspace. */
  workspaces: string[] | undefined;
}

/** Reads package.json. A syntax error names file and position. */
export function readPackageJson(source: string): PackageJson {
  let root: Record<string, unknown>;
  try {
    root = table(JSON.parse(source));
  } catch (error) {
    throw new BuildError('detect', 'package_json_invalid', {
      message: `package.json is not valid JSON: ${(error as Error).message}.`,
      hint: 'Correct package.json and deploy again.',
    });
  }
  const text = (value: unknown) => (typeof value === 'string' && value.trim() !== '' ? value.trim() : null);
  return {
    scripts: strings(root.scripts),
    dependencies: { ...strings(root.dependencies), ...strings(root.optionalDependencies) },
    devDependencies: strings(root.devDependencies),
    main: text(root.main),
    module: text(root.module),
    bin: text(root.bin) ?? (Object.keys(strings(root.bin)).length === 1 ? (Object.values(strings(root.bin))[0] ?? null) : null),
    bins: readBins(root.bin, text(root.name)),
    engine: text(table(root.engines).node),
    packageManager: text(root.packageManager),
    name: text(root.name),
    version: text(root.version),
    isModule: root.type === 'module',
    isWorkspace: root.workspaces !== undefined,
    workspaces: patterns(root.workspaces),
  };
}

const strings = (value: unknown) =>
  Object.fromEntries(Object.entries(table(value)).filter((e): e is [string, string] => typeof e[1] === 'string'));

/** A single file is the command with the package's name, without its scope. */
const readBins = (bin: unknown, name: string | null): Record<string, string> =>
  typeof bin === 'string' && name !== null ? { [name.replace(/^@[^/]*\//, '')]: bin } : strings(bin);

/** The scripts of package.json; none if it is no JSON, which only matters to an agent in Node. */
export const readScripts = (source: string | null): Record<string, string> => readParts(source)?.scripts ?? {};

/**
 * A command whose program package.json itself declares as `bin`, run by its file: only an installed package has that program. Other commands
 * are returned unchanged.
 */
export function withOwnBin(command: string[], source: string | null): string[] {
  const [program = '', ...rest] = command[0] === 'npx' ? command.slice(1) : command;
  const bins = readParts(source)?.bins ?? {};
  const file = Object.hasOwn(bins, program) ? (bins[program] ?? '').replace(/^\.\//, '') : '';
  return /^[\w./-]+\.[cm]?js$/.test(file) ? ['node', file, ...rest] : command;
}

function readParts(source: string | null): PackageJson | null {
  try {
    return readPackageJson(source ?? '{}');
  } catch {
    return null;
  }
}

/** A list, or an object with the list, which yarn also accepts. */
function patterns(workspaces: unknown): string[] | undefined {
  const list = Array.isArray(workspaces) ? workspaces : table(workspaces).packages;
  return Array.isArray(list) ? list.filter((one): one is string => typeof one === 'string') : undefined;
}
