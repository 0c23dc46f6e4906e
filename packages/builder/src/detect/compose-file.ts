import type { SourceTree } from './source-tree.ts';
import { parsePlainYaml } from './yaml.ts';

/** A service of a compose file. */
export interface ComposeService {
  file: string;
  name: string;
  service: Record<string, unknown>;
}

const composeFile = /^(?:docker-)?compose(?:[.-][\w-]{1,30})?\.ya?ml$/;
const maxFiles = 4;
const maxServices = 20;

/** The services of the compose files beside the agent, without those of tests. The shortest name of a file comes first. */
export function composeServices(tree: SourceTree): ComposeService[] {
  const files = tree.files
    .filter((file) => composeFile.test(file) && !/[.-](?:test|ci|e2e)/.test(file))
    .sort((a, b) => a.length - b.length);
  return files
    .slice(0, maxFiles)
    .flatMap((file) => readServices(tree.read(file) ?? '').map(([name, service]): ComposeService => ({ file, name, service })));
}

/** The entries of a mapping of YAML; an empty object for any other value. */
export const record = (value: unknown): Record<string, unknown> => (typeof value === 'object' && value !== null ? { ...value } : {});

function readServices(source: string): [string, Record<string, unknown>][] {
  try {
    return Object.entries(record(record(parsePlainYaml(source)).services))
      .slice(0, maxServices)
      .map(([name, service]) => [name.slice(0, 60), record(service)]);
  } catch {
    return []; // a compose file is only a hint
  }
}

const serviceName = /^[a-z][\w-]{0,59}$/i;

/** Names at which a compose file's services of other images are reached: they are not deployed with the agent. */
export function composeHosts(tree: SourceTree): Map<string, { image: string; file: string }> {
  const hosts = new Map<string, { image: string; file: string }>();
  for (const { file, name, service } of composeServices(tree)) {
    const { image, build, container_name: other } = service;
    if (typeof image !== 'string' || build !== undefined) continue;
    for (const host of [name, other]) if (typeof host === 'string' && serviceName.test(host)) hosts.set(host, { image, file });
  }
  return hosts;
}

/** The host in a value: `redis`, `redis:6379`, `redis://:secret@redis:6379/0`. */
export function hostIn(value: string): string | undefined {
  const address = /^[a-z][a-z0-9+]{1,30}:\/\/(?:[^\s/@]{0,200}@)?([\w.-]{1,100})(?::\d{1,5})?(?:[/?]|$)/i.exec(value)?.[1];
  return address ?? /^([a-z][\w-]{0,59})(?::\d{1,5})?$/i.exec(value)?.[1];
}
