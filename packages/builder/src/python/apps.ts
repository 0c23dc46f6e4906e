import { posix } from 'node:path';
import type { EntryFile } from './entry.ts';
import { constructors, type Serving, servingOrder } from './frameworks.ts';
import { importTargets } from './imported.ts';

export interface FoundApp {
  file: EntryFile;
  variable: string;
  /** The variable is a function that creates the app. */
  factory: boolean;
  framework: string;
  serving: Serving;
  /** The top-level module that the framework is imported from. */
  from: string;
}

const maxApps = 20;

/** The apps that files create, at most one a file: by variable or by a string given to `uvicorn.run`, otherwise by a factory. */
export function findApps(files: EntryFile[]): FoundApp[] {
  const apps = new Map<string, FoundApp>();
  const note = (app: FoundApp | null) => {
    if (app !== null && apps.size < maxApps && !apps.has(app.file.path)) apps.set(app.file.path, app);
  };
  const archive: Archive = {
    files: new Map(files.map((file) => [file.path, file])),
    factories: new Map(files.map((file) => [file.path, factoriesIn(file)])),
  };
  for (const file of files) note(appIn(file, archive) ?? servedElsewhere(file, archive));
  for (const file of files) note(factoryIn(file, archive) ?? pageIn(file, archive));
  return [...apps.values()];
}

/** Maps are by the path of a file. */
interface Archive {
  files: Map<string, EntryFile>;
  factories: Map<string, Map<string, Factory>>;
}

/** A function that creates a web app, by its name. */
type Factory = Made & { needsArguments: boolean };

type Made = Pick<FoundApp, 'framework' | 'serving' | 'from'>;

function constructed(made: string): Made | null {
  const found = Object.hasOwn(constructors, made) ? constructors[made] : undefined;
  return found === undefined ? null : { ...found, from: made.split('.', 1)[0] ?? made };
}

const factoryName = /^(?:create|make|build|get)_/;

function factoriesIn({ module }: EntryFile): Map<string, Factory> {
  const factories = new Map<string, Factory>();
  for (const { name, needsArguments, makes } of module.functions) {
    const made = factoryName.test(name) ? makes.map(constructed).find((app) => app?.serving === 'asgi' || app?.serving === 'wsgi') : null;
    if (made) factories.set(name, { ...made, needsArguments });
  }
  return factories;
}

/** The app of a variable. An app that the file constructs itself comes before one that a function returns. */
function appIn(file: EntryFile, archive: Archive): FoundApp | null {
  const { variables } = file.module;
  const owners = new Map(variables.map(({ name, made }) => [name, made]));
  const found = [
    ...variables.map(({ name, made }) => ({ name, app: constructed(made) })),
    ...variables.map(({ name, made }) => ({ name, app: returned(made, file, { ...archive, owners }) })),
  ];
  const apps = found.flatMap(({ name, app }) => (app === null ? [] : { variable: name, ...app }));
  const best = apps.sort((a, b) => servingOrder.indexOf(a.serving) - servingOrder.indexOf(b.serving))[0];
  return best === undefined ? null : { file, factory: false, ...best };
}

/**
 * The app that a call at the top level returns: `app = create_app()`, with the function in the same file or imported from another one, or
 * `app = agents.get_app()` of an object that the file constructs. The module may add routes to it, which the function itself does not.
 */
function returned(made: string, { path }: EntryFile, { factories, owners }: Archive & { owners: Map<string, string> }): Made | null {
  const dot = made.lastIndexOf('.');
  const name = made.slice(dot + 1);
  const before = made.slice(0, Math.max(0, dot));
  if (!factoryName.test(name)) return null;
  // The name may also be that of a module: `from app import create_app`, `app = create_app()`.
  const ofObject = constructed(`${owners.get(before)}.${name}`);
  if (ofObject !== null) return ofObject;
  const folder = posix.dirname(path);
  const paths = dot === -1 ? [path] : importTargets(before, folder, [folder, '.', 'src', posix.dirname(folder)]);
  const factory = paths.map((each) => factories.get(each)?.get(name)).find((each) => each !== undefined);
  return factory === undefined ? null : { framework: factory.framework, serving: factory.serving, from: factory.from };
}

const launches = (call: string) => /(?:^|\.)launch$/.test(call);

/**
 * A page of Gradio that a function of the file, or of a module that it imports, makes, and that the file launches when it is run. The page
 * has no name that others could use.
 */
function pageIn(file: EntryFile, { files }: Archive): FoundApp | null {
  const { functions, firmCalls, hasMain, calls } = file.module;
  const isRun = hasMain || functions.some(({ name, makes }) => firmCalls.has(name) && makes.some(launches));
  if (!isRun || ![...calls].some(launches)) return null;
  const made = functions.flatMap(({ makes }) => makes.map(constructed)).find((app) => app?.serving === 'gradio');
  const page = made ?? (usesGradio(file, files) ? constructed('gradio.Blocks') : null);
  return page === null ? null : { file, variable: '', factory: false, ...page };
}

const maxImported = 100;

/** Whether a file that another one imports, directly or by further files, imports Gradio. */
function usesGradio(file: EntryFile, files: ReadonlyMap<string, EntryFile>): boolean {
  const seen = new Set([file]);
  for (const { path, module } of seen) {
    if (module.imports.has('gradio')) return true;
    const folder = posix.dirname(path);
    for (const name of module.paths)
      for (const target of importTargets(name, folder, [folder, '.', 'src'])) {
        const next = files.get(target);
        if (next !== undefined && seen.size < maxImported) seen.add(next);
      }
  }
  return false;
}

// `uvicorn.run("package.api:app")`: the string names the app.
function servedElsewhere(file: EntryFile, archive: Archive): FoundApp | null {
  const target = file.module.served?.find((s) => /^[A-Za-z_][\w.]*:[A-Za-z_]\w*$/.test(s));
  if (target === undefined) return null;
  const [module = '', variable = ''] = target.split(':');
  const path = module.replaceAll('.', '/');
  const folder = posix.dirname(file.path);
  const places = [`${path}.py`, `${path}/__init__.py`, posix.join(folder, `${path}.py`)];
  const at = places.map((place) => archive.files.get(place)).find((each) => each !== undefined);
  if (at === undefined) return null;
  const found = appIn(at, archive);
  return found?.variable === variable ? found : factoryIn(at, archive);
}

function factoryIn(file: EntryFile, { factories }: Archive): FoundApp | null {
  for (const [variable, { needsArguments, ...made }] of factories.get(file.path) ?? [])
    if (!needsArguments) return { file, variable, factory: true, ...made };
  return null;
}
