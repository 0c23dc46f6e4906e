import { parse } from 'smol-toml';
import { BuildError } from '../build-error.ts';
import { allOf, pythonMarker } from './markers.ts';
import { normaliseName } from './requirements.ts';

type Table = Record<string, unknown>;

/** The parts of pyproject.toml that the builder uses. They may also come from setup.cfg or setup.py. */
export interface Pyproject {
  file: 'pyproject.toml' | 'setup.cfg' | 'setup.py';
  /** It has a [project] or [tool.poetry] table. Otherwise it only configures tools. */
  isProject: boolean;
  name: string | null;
  dependencies: string[];
  requiresPython: string | null;
  /** Minor versions that its classifiers name, such as 3.12. */
  testedWith: string[];
  /** [project.scripts] and [tool.poetry.scripts]: command → `module:function`. */
  scripts: Map<string, string>;
  /** Its uv sources point at folders or a workspace, or only a build backend knows its dependencies. */
  needsSource: boolean;
  /** The source of a version that the file itself does not contain: a file, or `true` if only the whole source has it. */
  version: string | true | undefined;
  poetryDependencies: Table;
  /** Requirements of groups, extras or development. */
  optional: string[];
  /** Requirements of each extra, by its normalised name. */
  extras?: Map<string, string[]>;
  /** Requirements of each group of dependencies, by its normalised name. */
  groups?: Map<string, string[]>;
}

/** Parses a TOML file of the archive. A syntax error names the file and position. */
export function readToml(source: string, path: string): Table {
  try {
    return parse(source);
  } catch (error) {
    const { line, column } = error as { line?: number; column?: number };
    const reason = (error as Error).message.split('\n')[0]?.replace(/^Invalid TOML document: /, '');
    throw new BuildError('detect', 'toml_invalid', {
      message: `${path}${line === undefined ? '' : `:${line}:${column}`}: ${reason}.`,
      hint: `Correct ${path} and deploy again.`,
    });
  }
}

export function readPyproject(source: string): Pyproject {
  const root = readToml(source, 'pyproject.toml');
  const project = table(root.project);
  const tool = table(root.tool);
  const poetry = table(tool.poetry);
  const uv = table(tool.uv);
  const poetryDependencies = table(poetry.dependencies);
  const dependencies = texts(project.dependencies);
  const all = dependencies.length > 0 ? dependencies : poetryRequirements(poetryDependencies);
  const requires = project['requires-python'] ?? poetryDependencies.python;
  const scripts = Object.entries({ ...table(poetry.scripts), ...table(project.scripts) }).filter(
    (e): e is [string, string] => typeof e[1] === 'string',
  );
  return {
    file: 'pyproject.toml',
    isProject: root.project !== undefined || tool.poetry !== undefined,
    name: texts([project.name ?? poetry.name])[0] ?? null,
    dependencies: all,
    testedWith: texts(project.classifiers ?? poetry.classifiers).flatMap(
      (text) => /^Programming Language :: Python :: (3\.\d+)$/.exec(text)?.[1] ?? [],
    ),
    requiresPython: typeof requires === 'string' ? requires : null,
    scripts: new Map(scripts),
    needsSource:
      uv.workspace !== undefined ||
      Object.values(table(uv.sources)).some(isLocalSource) ||
      texts(project.dynamic).includes('dependencies') ||
      all.some((d) => /@\s*file:/.test(d)),
    version: texts(project.dynamic).includes('version') ? versionSource(tool) : undefined,
    poetryDependencies,
    ...readExtras(root),
    optional: [
      ...Object.values(table(project['optional-dependencies'])).flatMap(texts),
      ...Object.values(table(root['dependency-groups'])).flatMap(texts),
      ...Object.values(table(poetry.group)).flatMap((group) => Object.keys(table(table(group).dependencies))),
      ...Object.keys(table(poetry['dev-dependencies'])),
      ...Object.entries(poetryDependencies).flatMap(([name, value]) => (table(value).optional === true ? name : [])),
    ],
  };
}

function readExtras(root: Table): Required<Pick<Pyproject, 'extras' | 'groups'>> {
  const poetry = table(table(root.tool).poetry);
  const optional = table(poetry.dependencies);
  const ofPoetry = (names: string[]) =>
    poetryRequirements(
      Object.fromEntries(
        names.map((name) => [name, typeof optional[name] === 'string' ? optional[name] : { ...table(optional[name]), optional: false }]),
      ),
    );
  const byName = (all: unknown, read: (value: unknown) => string[]): [string, string[]][] =>
    Object.entries(table(all)).map(([name, value]) => [normaliseName(name), read(value)]);
  return {
    extras: new Map([
      ...byName(poetry.extras, (names) => ofPoetry(texts(names))),
      ...byName(table(root.project)['optional-dependencies'], texts),
    ]),
    groups: new Map([
      ...byName(poetry.group, (group) => poetryRequirements(table(table(group).dependencies))),
      ...byName(root['dependency-groups'], texts),
    ]),
  };
}

/** hatchling names a file, setuptools a file or a module; other backends use git or their own code. */
function versionSource(tool: Table): string | true {
  const { path } = table(table(tool.hatch).version);
  return typeof path === 'string' && /^[\w.][\w./-]{0,300}$/.test(path) && !path.split('/').includes('..') ? path : true;
}

function isLocalSource(source: unknown): boolean {
  return (Array.isArray(source) ? source : [source]).some((s) => table(s).path !== undefined || table(s).workspace === true);
}

/** Poetry's own constraint notation as requirement lines. A list holds one dependency in versions for different environments. */
export function poetryRequirements(dependencies: Table): string[] {
  return Object.entries(dependencies).flatMap(([name, value]) =>
    name === 'python' ? [] : (Array.isArray(value) ? value : [value]).flatMap((one: unknown) => poetryRequirement(name, one)),
  );
}

function poetryRequirement(name: string, value: unknown): string[] {
  const wish = typeof value === 'string' ? value : table(value).version;
  if (table(value).optional === true) return [];
  const extras = texts(table(value).extras);
  const full = extras.length > 0 ? `${name}[${extras.join(',')}]` : name;
  const marker = poetryMarker(value);
  const where = marker === undefined ? '' : ` ; ${marker}`;
  const git = table(value).git;
  const revision = table(value).rev ?? table(value).tag ?? table(value).branch;
  if (typeof git === 'string') return [`${full} @ git+${git}${typeof revision === 'string' ? `@${revision}` : ''}${where}`];
  return typeof wish === 'string' ? [`${full}${poetryConstraint(wish)}${where}`] : [];
}

/** The environments in which Poetry installs a dependency: its `markers`, `python` and `platform`. */
export function poetryMarker(value: unknown): string | undefined {
  const { markers, python, platform } = table(value);
  const system = typeof platform === 'string' && /^\w{1,40}$/.test(platform) ? `sys_platform == "${platform}"` : undefined;
  const marker = typeof markers === 'string' ? markers.trim() : undefined;
  return allOf([marker, pythonMarker(python, poetryConstraint), system]);
}

export function poetryConstraint(wish: string): string {
  return wish
    .split(',')
    .map((part) => {
      const text = part.trim();
      const op = /^[\^~=<>!]*/.exec(text)?.[0] ?? '';
      const version = text.slice(op.length).trim();
      if (version === '*' || version === '') return '';
      const numbers = version.split('.');
      if (op === '^') {
        const at = Math.max(
          0,
          numbers.findIndex((n) => Number(n) > 0),
        );
        return `>=${version},<${[...numbers.slice(0, at), Number(numbers[at]) + 1].join('.')}`;
      }
      if (op === '~') return `>=${version},<${numbers.length === 1 ? Number(numbers[0]) + 1 : `${numbers[0]}.${Number(numbers[1]) + 1}`}`;
      return `${op === '' ? '==' : op}${version}`;
    })
    .filter((c) => c !== '')
    .join(',');
}

export function table(value: unknown): Table {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Table) : {};
}

export function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((v): v is string => typeof v === 'string') : [];
}
