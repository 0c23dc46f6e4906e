import { BuildError } from '../build-error.ts';
import { table } from '../python/pyproject.ts';

export interface PackageJson {
  scripts: Record<string, string>;
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
  main: string | null;
  /** File of the package's only command. */
  bin: string | null;
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
  const strings = (value: unknown) =>
    Object.fromEntries(Object.entries(table(value)).filter((e): e is [string, string] => typeof e[1] === 'string'));
  const text = (value: unknown) => (typeof value === 'string' && value.trim() !== '' ? value.trim() : null);
  return {
    scripts: strings(root.scripts),
    dependencies: { ...strings(root.dependencies), ...strings(root.optionalDependencies) },
    devDependencies: strings(root.devDependencies),
    main: text(root.main),
    bin: text(root.bin) ?? (Object.keys(strings(root.bin)).length === 1 ? (Object.values(strings(root.bin))[0] ?? null) : null),
    engine: text(table(root.engines).node),
    packageManager: text(root.packageManager),
    name: text(root.name),
    version: text(root.version),
    isModule: root.type === 'module',
    isWorkspace: root.workspaces !== undefined,
    workspaces: patterns(root.workspaces),
  };
}

/** The scripts of package.json; none if it is no JSON, which only matters to an agent in Node. */
export function readScripts(source: string | null): Record<string, string> {
  try {
    return readPackageJson(source ?? '{}').scripts;
  } catch {
    return {};
  }
}

/** A list, or an object with the list, which yarn also accepts. */
function patterns(workspaces: unknown): string[] | undefined {
  const list = Array.isArray(workspaces) ? workspaces : table(workspaces).packages;
  return Array.isArray(list) ? list.filter((one): one is string => typeof one === 'string') : undefined;
}
