import type { FileList } from './list-files.ts';

/** Sentences about the files that are never sent, with the reason. `project` is the name in the command that sets the variables of an `.env` file. */
export function leftBehind({ env_files, secrets, dependency_folders, links }: FileList, project: string): string[] {
  const notes: string[] = [];
  if (env_files.length)
    notes.push(`${env_files.join(', ')} stays here. To set its values: paddock env set --project ${project} --file ${env_files[0]}`);
  if (secrets.length)
    notes.push(
      `${some(secrets)} ${secrets.length === 1 ? 'looks like a secret and stays here' : 'look like secrets and stay here'}. To send it: --include ${secrets[0]}`,
    );
  if (dependency_folders.length) notes.push(`${some(dependency_folders)} stays here: the build installs dependencies anew.`);
  if (links.length) notes.push(`${some(links)} stays here: no file of this folder, or a link out of it.`);
  return notes;
}

const some = (names: string[]) => (names.length > 3 ? `${names.slice(0, 3).join(', ')} and ${names.length - 3} more` : names.join(', '));
