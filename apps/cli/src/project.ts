import { readFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import type { Project } from '@paddock/contract';
import { ApiError } from '@paddock/contract/errors';
import { maxProjectNameLength, normalizeProjectName, projectNameProblem } from '@paddock/contract/rules';
import { parse } from 'yaml';
import { changeConfig, readConfig } from './config-file.ts';
import type { Context, Server } from './context.ts';
import { notFound, usage } from './failures.ts';

export interface ProjectOption {
  project?: string;
}

const maxPages = 40;

interface Deployed {
  server: Server;
  folder: string;
  /** From --project. */
  given?: string | undefined;
}

/** The name of the project that a folder is deployed to: --project, paddock.yaml, the name of the last deployment, or the folder's own name. */
export async function projectNameFor(context: Context, { server, folder, given }: Deployed): Promise<string> {
  const name = given ?? (await namedInManifest(folder)) ?? (await readConfig(context.configFile)).projects[server.url]?.[folder];
  if (name === undefined) return nameFromFolder(folder);
  const problem = projectNameProblem(name);
  if (problem) throw usage(`${problem}: ${name}`);
  return normalizeProjectName(name);
}

async function namedInManifest(folder: string): Promise<string | undefined> {
  let text: string;
  try {
    text = textOf(await readFile(join(folder, 'paddock.yaml')));
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
  try {
    const { project } = Object(parse(text, { maxAliasCount: 10 })) as { project?: unknown };
    return typeof project === 'string' ? project : undefined;
  } catch {
    return undefined; // the build reports what is wrong with it, with file, line and column
  }
}

/** The text of a manifest. Like the build, it reads UTF-16, too. */
function textOf(bytes: Buffer): string {
  return new TextDecoder(utf16Marks[bytes.subarray(0, 2).toString('latin1')] ?? 'utf-8').decode(bytes);
}
const utf16Marks: Record<string, string> = { '\xff\xfe': 'utf-16le', '\xfe\xff': 'utf-16be' };

export function nameFromFolder(folder: string): string {
  const name = basename(resolve(folder))
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, maxProjectNameLength)
    .replace(/^-|-$/g, '');
  if (projectNameProblem(name)) throw usage('The folder has no name that a project could have. Name one with --project.');
  return name;
}

/** Finds a project by name or id. */
export async function findProject({ api }: Server, nameOrId: string): Promise<Project | undefined> {
  if (nameOrId.startsWith('prj_')) {
    return api.projects.get({ id: nameOrId }).catch((error: unknown) => {
      if (error instanceof ApiError && error.status === 404) return undefined;
      throw error;
    });
  }
  for await (const project of everyProject({ api })) if (project.name === nameOrId) return project;
  return undefined;
}

/** All projects, page by page. */
export async function* everyProject({ api }: Pick<Server, 'api'>): AsyncGenerator<Project> {
  let cursor: string | null = null;
  for (let page = 0; page < maxPages; page++) {
    const answer: { projects: Project[]; next_cursor: string | null } = await api.projects.list({
      limit: 500,
      ...(cursor ? { cursor } : {}),
    });
    yield* answer.projects;
    cursor = answer.next_cursor;
    if (cursor === null) return;
  }
}

export async function theProject(context: Context, given: string | undefined, server: Server): Promise<Project> {
  const name = given?.startsWith('prj_') ? given : await projectNameFor(context, { server, folder: resolve(context.cwd), given });
  const project = await findProject(server, name);
  if (!project) throw notFound(`There is no project ${name} on ${server.url}. "paddock projects" lists yours; --project names one.`);
  return project;
}

interface Remembered {
  server: Server;
  folder: string;
  name: string;
}

/** Stores the folder's project, so that the next deployment goes to the same one. */
export const rememberProject = (context: Context, { server: { url }, folder, name }: Remembered) =>
  changeConfig(context.configFile, (config) => {
    const { [folder]: _before, ...folders } = config.projects[url] ?? {};
    config.projects[url] = { ...folders, [folder]: name };
  });
