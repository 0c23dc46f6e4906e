import { posix } from 'node:path';
import { composeServices, record } from './compose-file.ts';
import { plainWords } from './docker/shell-words.ts';
import type { SourceTree } from './source-tree.ts';

/** The command of a service that a compose file builds from the archive. */
export interface ComposeCommand {
  words: string[];
  /** The folder from which it is built; '' for the agent's folder. */
  context: string;
  because: string;
}

/** The commands that compose files give to built services, in place of the image's own. The shortest name of a file comes first. */
export function composeCommands(tree: SourceTree, entrypoint: string[]): ComposeCommand[] {
  return composeServices(tree).flatMap(({ file, name, service }): ComposeCommand[] => {
    const build = service.build;
    const context = posix
      .normalize(String((typeof build === 'string' ? build : record(build).context) ?? '.'))
      .replace(/^\.?\/|\/$|^\.$/g, '');
    const own = words(service.entrypoint);
    const command = words(service.command);
    if (build === undefined || (own === null && command === null) || (context !== '' && !tree.hasFolder(context))) return [];
    return [{ words: [...(own ?? entrypoint), ...(command ?? [])], context, because: `${file} (${name})` }];
  });
}

/** Compose splits a line as a shell does, but runs no shell. */
function words(value: unknown): string[] | null {
  if (Array.isArray(value)) return value.map(String);
  return typeof value === 'string' ? plainWords(value, new Map()).map(({ text }) => text) : null;
}
