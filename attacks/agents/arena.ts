import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { deploy, type Platform, reaches, startPlatform, until } from '../../apps/server/test/platform.ts';
import type { Api } from '../../apps/server/test/server.ts';
import { attemptMs } from '../attempts.ts';

export const source = (path: string): string => readFileSync(join(import.meta.dirname, path), 'utf8');
export const hostileNode = {
  'package.json': '{"type":"module","scripts":{"start":"node server.mjs"}}',
  'server.mjs': source('hostile-node/server.mjs'),
};
const hostilePython = { 'main.py': source('hostile-python/main.py') };
const honest = {
  'package.json': '{"type":"module","scripts":{"start":"node server.mjs"}}',
  'server.mjs': `import http from 'node:http';
http.createServer((_, response) => response.end('the neighbour')).listen(process.env.PORT, '0.0.0.0');`,
};

/** Small limits, so that an attack reaches them within a second. */
export const limits = { memory_mb: 192, disk_mb: 32, processes: 128 };

export interface Agent {
  api: Api;
  project_id: string;
  deployment_id: string;
  host: string;
  /** GET through the gateway; returns the response as JSON. */
  ask(path: string): Promise<unknown>;
  sh(command: string): Promise<{ code: number | string; output: string }>;
}

/** The driver's record of a running instance: its folder, network, user and control groups. */
export interface Place {
  id: string;
  folder: string;
  uid: number;
  address: string;
  namespace: string;
  device: string;
  /** Control groups. */
  pids: string;
  memory: string;
  cpuacct: string;
}

/** A whole platform with a quiet neighbour of another team, whose secret and responses are the target of the attacks. */
export async function openArena() {
  const paddock = await startPlatform(undefined, {
    PADDOCK_AGENT_MEMORY_MB: String(limits.memory_mb),
    PADDOCK_AGENT_DISK_MB: String(limits.disk_mb),
    PADDOCK_AGENT_PROCESSES: String(limits.processes),
  });
  const [eve, ada] = [await paddock.person(), await paddock.person()];
  const neighbour = await makeAgent(paddock, ada.api, {
    name: 'neighbour',
    files: honest,
    variables: { SECRET: 'CANARY_neighbour_secret' },
  });
  const node = await makeAgent(paddock, eve.api, { name: 'hostile', files: hostileNode, variables: { SECRET: 'CANARY_own_secret' } });
  const python = await makeAgent(paddock, eve.api, { name: 'hostile-python', files: hostilePython });
  return { paddock, eve, ada, neighbour, node, python };
}
export type Arena = Awaited<ReturnType<typeof openArena>>;

type NewAgent = { name: string; files: Record<string, string>; variables?: Record<string, string> };

export async function makeAgent(paddock: Platform, api: Api, { name, files, variables = {} }: NewAgent): Promise<Agent> {
  const project = await api.projects.create({ name });
  const list = Object.entries(variables).map(([key, value]) => ({ key, value }));
  if (list.length > 0) await api.variables.set({ project_id: project.id, environment: 'production', variables: list });
  const { id } = await deploy(api, project.id, files);
  await reaches(api, id, ['active']);
  return agentAt(paddock, { api, project_id: project.id, deployment_id: id, host: new URL(project.url).host });
}

/** Starts the hostile agent of the same archive again, after ending the previous one with everything that it started. */
export async function again(paddock: Platform, before: Agent): Promise<Agent> {
  const { api, project_id, host } = before;
  await stop(before);
  const { id } = await deploy(api, project_id, hostileNode);
  await reaches(api, id, ['active']);
  const agent = agentAt(paddock, { api, project_id, deployment_id: id, host });
  await until('the gateway knows it', async () => (await paddock.visit(host, '/state')).status === 200);
  return agent;
}

/** Stops the agent, whatever state the attack left it in. */
export async function stop({ api, deployment_id }: Agent): Promise<void> {
  const { status } = await api.deployments.get({ id: deployment_id });
  if (status === 'active') await api.deployments.stop({ id: deployment_id });
}

function agentAt(paddock: Platform, place: Pick<Agent, 'api' | 'project_id' | 'deployment_id' | 'host'>): Agent {
  const ask = async (path: string) => JSON.parse((await paddock.visit(place.host, path, {}, attemptMs)).body) as unknown;
  return {
    ...place,
    ask,
    sh: async (command) => (await ask(`/sh?command=${encodeURIComponent(command)}`)) as { code: number | string; output: string },
  };
}

interface Noted {
  id: string;
  deployment_id: string;
  uid?: number;
  network?: { namespace: string; address: string; device: string };
  cgroup?: { folders: { pids: string; memory: string; cpuacct: string } };
}

/** The driver's record on disk of the deployment's newest instance; undefined once it is gone. */
export function placeOf(dataDir: string, deployment_id: string): Place | undefined {
  const parent = join(dataDir, 'runtime/instances');
  const found = readdirSync(parent)
    .map((name) => {
      try {
        return JSON.parse(readFileSync(join(parent, name, 'instance.json'), 'utf8')) as Noted;
      } catch {
        return undefined; // removed between the listing and now
      }
    })
    .filter((one) => one?.deployment_id === deployment_id)
    .at(-1);
  if (!found?.network || found.uid === undefined || !found.cgroup) return undefined;
  const { namespace, address, device } = found.network;
  return { id: found.id, folder: join(parent, found.id), uid: found.uid, address, namespace, device, ...found.cgroup.folders };
}

/** Number of the user's processes on the machine. */
export function processesOf(uid: number): number {
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name) && new RegExp(`^Uid:\\t${uid}\\t`, 'm').test(statusText(name))).length;
}

function statusText(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    return ''; // the process has just exited
  }
}
