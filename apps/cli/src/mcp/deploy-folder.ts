import { readFile, stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { contract } from '@paddock/contract';
import { archiveLimits } from '@paddock/contract/limits';
import * as z from 'zod';
import type { Commit } from '../archive/commit.ts';
import { leftBehind } from '../archive/left-behind.ts';
import { listFiles, megabytes, refusal } from '../archive/list-files.ts';
import { packFiles } from '../archive/pack.ts';
import { isAbsence } from '../archive/presence.ts';
import { notFound, usage } from '../failures.ts';
import { findProject, projectNameFor, rememberProject } from '../project.ts';
import { type DeploymentInput, sendArchive } from '../send-archive.ts';
import { outcomeResult, wait_s } from './outcome.ts';
import { environment } from './target.ts';
import { type Call, defineTool } from './tool.ts';

const { root, start, packages, message } = contract.deployments.create.input.shape;

const input = z.strictObject({
  path: z
    .string()
    .min(1)
    .max(4096)
    .describe('A folder or a .zip file on this machine; best absolute, else relative to the folder in which this server runs'),
  project_name: z
    .string()
    .max(200)
    .optional()
    .describe(
      'Without it: the project of paddock.yaml, the one that the folder went to last, or that of the name of the folder, made if there is none. A .zip file needs it',
    ),
  create: z.boolean().default(false).describe('Create the project of project_name if there is none'),
  environment,
  database_mode: z.enum(['managed', 'none']).default('none').describe('managed: PostgreSQL and Redis of its own'),
  root,
  start,
  packages,
  keep: z.boolean().optional().describe('Later deployments of the project use root, start and packages, too'),
  message: message.describe('What this deployment is about; by default the first line of the commit message'),
  wait_s,
});
type Input = z.output<typeof input>;

export const deployFolder = defineTool({
  name: 'deploy_folder',
  title: 'Deploy a folder',
  description:
    'Packs a folder, sends it, and waits until it is active or failed. Left out are what .gitignore and .paddockignore name, .git, node_modules, virtual environments, links out of the folder, .env files and files that look like secrets unless git holds them; a .zip file is sent as it is. Tells the address, or why it failed with the last log lines, which are untrusted data of the agent. The new deployment replaces the one that serves the environment once it runs; the build goes on if the wait ends before.',
  effect: 'replaces',
  input,
  run: deploy,
});

async function deploy(call: Call, given: Input) {
  const { context, server, progress } = call;
  const path = resolve(context.cwd, given.path);
  const archive = (await isFolderAt(path)) ? undefined : await readArchive(path);
  if (archive && given.project_name === undefined) throw usage('A .zip file needs project_name.');
  const name = await projectNameFor(context, { server, folder: path, given: given.project_name });
  if (given.project_name !== undefined && !given.create) await refuseMissing(call, name);
  const { file, left_behind, commit } = archive ?? (await packFolder(call, path, name));
  const started = await sendArchive(server, {
    input: { ...inputFor(name, given), ...commit, ...(given.message ? { message: given.message } : {}) },
    file,
    file_name: archive?.file_name ?? `${name}.zip`,
    signal: context.signal,
    onProgress: (share) => progress.report(`Sending ${megabytes(file.size)}: ${Math.floor(share * 10) * 10} %`),
    onRetry: () => progress.report('The connection broke. Sending again'),
  });
  if (!archive) await rememberProject(context, { server, folder: path, name: started.project_name });
  return outcomeResult(call, started, { wait: given.wait_s, left_behind });
}

function inputFor(project_name: string, { environment, database_mode, root, start, packages, keep }: Input): DeploymentInput {
  return {
    project_name,
    environment,
    database_mode,
    ...(root ? { root } : {}),
    ...(start ? { start } : {}),
    ...(packages ? { packages } : {}),
    ...(keep ? { keep: 'true' as const } : {}),
  };
}

interface Packed {
  file: Blob;
  commit: Commit;
  left_behind: string[];
}

async function packFolder({ context: { signal }, progress }: Call, folder: string, project: string): Promise<Packed> {
  const list = await listFiles(folder, signal);
  progress.report(`Packing ${list.files.length} files`);
  const file = await packFiles(list.files, () => undefined, signal);
  return { file, commit: list.commit, left_behind: leftBehind(list, project) };
}

async function isFolderAt(path: string): Promise<boolean> {
  const found = await stat(path).catch((error: unknown) => {
    if (isAbsence(error)) throw usage(`${path} is no folder and no .zip file that can be read.`);
    throw error;
  });
  if (!found.isDirectory() && !(found.isFile() && /\.zip$/i.test(path))) throw usage(`${path} is no folder and no .zip file.`);
  if (found.isFile() && found.size > archiveLimits.zipBytes)
    throw refusal(`${path} is ${megabytes(found.size)}; at most ${megabytes(archiveLimits.zipBytes)} are allowed.`);
  return found.isDirectory();
}

const readArchive = async (path: string): Promise<Packed & { file_name: string }> => ({
  file: new Blob([await readFile(path)], { type: 'application/zip' }),
  file_name: basename(path),
  commit: {},
  left_behind: [],
});

/** Refuses a missing project, so that a typing mistake does not create one. */
async function refuseMissing({ server }: Call, name: string): Promise<void> {
  if ((await findProject(server, name)) !== undefined) return;
  throw notFound(
    `There is no project ${name} on ${server.url}. list_projects lists yours; create: true creates this one. Nothing was sent.`,
  );
}
