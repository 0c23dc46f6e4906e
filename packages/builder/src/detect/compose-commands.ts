import { posix } from 'node:path';
import { plainWords } from './docker/shell-words.ts';
import type { SourceTree } from './source-tree.ts';
import { parsePlainYaml } from './yaml.ts';

/** The command of a service that a compose file builds from the archive. */
export interface ComposeCommand {
  words: string[];
  /** The folder from which it is built; '' for the agent's folder. */
  context: string;
  because: string;
}

const composeFile = /^(?:docker-)?compose(?:[.-][\w-]{1,30})?\.ya?ml$/;
const maxFiles = 4;
const maxServices = 20;

/** The commands that compose files give to built services, in place of the image's own. The shortest name of a file comes first. */
export function composeCommands(tree: SourceTree, entrypoint: string[]): ComposeCommand[] {
  const files = tree.files
    .filter((file) => composeFile.test(file) && !/[.-](?:test|ci|e2e)/.test(file))
    .sort((a, b) => a.length - b.length);
  return files.slice(0, maxFiles).flatMap((file) =>
    readServices(tree.read(file) ?? '').flatMap(([name, service]): ComposeCommand[] => {
      const build = service.build;
      const context = posix
        .normalize(String((typeof build === 'string' ? build : record(build).context) ?? '.'))
        .replace(/^\.?\/|\/$|^\.$/g, '');
      const own = words(service.entrypoint);
      const command = words(service.command);
      if (build === undefined || (own === null && command === null) || (context !== '' && !tree.hasFolder(context))) return [];
      return [{ words: [...(own ?? entrypoint), ...(command ?? [])], context, because: `${file} (${name})` }];
    }),
  );
}

const record = (value: unknown): Record<string, unknown> => (typeof value === 'object' && value !== null ? { ...value } : {});

function readServices(source: string): [string, Record<string, unknown>][] {
  try {
    return Object.entries(record(record(parsePlainYaml(source)).services))
      .slice(0, maxServices)
      .map(([name, service]) => [name.slice(0, 60), record(service)]);
  } catch {
    return []; // a compose file is only a hint
  }
}

/** Compose splits a line as a shell does, but runs no shell. */
function words(value: unknown): string[] | null {
  if (Array.isArray(value)) return value.map(String);
  return typeof value === 'string' ? plainWords(value, new Map()).map(({ text }) => text) : null;
}
