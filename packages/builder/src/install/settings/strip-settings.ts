import { setImmediate as breathe } from 'node:timers/promises';
import { type Entry, readTextBelow, statBelow, unlinkBelow, walkBelow, writeBelow } from '@paddock/safe-files';
import { BuildError, quoteName } from '../../build-error.ts';
import { findRestriction, type Restricted } from './restrict.ts';

const MAX_ENTRIES = 500_000;
const ENTRIES_AT_ONCE = 2_000;
const MAX_FILES = 200;
/** YAML files take longest to read, and a project has one of them. */
const MAX_YAML_FILES = 20;
const MAX_BYTES = 128 * 1024;
const MAX_NAMES = 20;

/**
 * Reduces the settings of package clients in a folder to those that an archive may make in the step that has the machine's logins, and logs
 * the names of the removed settings. The returned function restores the files.
 */
export async function stripSettings(root: string, manager: string, say: (text: string) => void): Promise<() => void> {
  const originals: [path: string, text: string][] = [];
  for (const path of await settingsFiles(root, manager)) {
    const { text, restricted } = await restrict(root, path, manager);
    if (restricted === null) continue;
    if (text !== undefined) originals.push([path, text]);
    if (restricted.text === '') unlinkBelow(root, path);
    else writeBelow(root, path, restricted.text);
    const names = restricted.dropped.slice(0, MAX_NAMES).map(quoteName).join(', ');
    const more = restricted.dropped.length - MAX_NAMES;
    say(`Not used of ${quoteName(path)} while dependencies are fetched: ${names}${more > 0 ? ` and ${more} more` : ''}.`);
  }
  return () => {
    for (const [path, text] of originals) writeBelow(root, path, text);
  };
}

async function restrict(root: string, path: string, manager: string): Promise<{ text?: string; restricted: Restricted }> {
  if ((statBelow(root, path)?.size ?? 0) > MAX_BYTES) return { restricted: { text: '', dropped: ['all of it, since it is too large'] } };
  const text = (await readTextBelow(root, path, MAX_BYTES)) ?? '';
  const restriction = findRestriction(manager, lastName(path));
  return { text, restricted: restriction ? restriction(text) : { text: '', dropped: ['all of it, since it sets variables'] } };
}

async function settingsFiles(root: string, manager: string): Promise<string[]> {
  const found: string[] = [];
  let seen = 0;
  let yaml = 0;
  for (const entry of walkBelow(root, MAX_ENTRIES, ({ path }) => lastName(path) !== 'node_modules')) {
    if (++seen % ENTRIES_AT_ONCE === 0) await breathe();
    if (!isSettings(entry, manager)) continue;
    if (found.push(entry.path) > MAX_FILES) throw tooMany(`${MAX_FILES} files`);
    if (isYaml(entry.path) && ++yaml > MAX_YAML_FILES) throw tooMany(`${MAX_YAML_FILES} YAML files`);
  }
  return found;
}

function isSettings({ path, kind }: Entry, manager: string): boolean {
  // bun also reads its own settings, and the proxies of the step, from these files.
  const isEnvironment = manager === 'bun' && /^\.env(\.\w{1,40}){0,2}$/.test(lastName(path));
  return kind === 'file' && (isEnvironment || findRestriction(manager, lastName(path)) !== undefined);
}

const isYaml = (path: string) => /\.ya?ml$/.test(path);
const lastName = (path: string) => path.slice(path.lastIndexOf('/') + 1);

function tooMany(bound: string): BuildError {
  return new BuildError('install', 'too_many_settings', {
    message: `The archive has more than ${bound} with settings of package managers.`,
    hint: 'Leave out those of folders that the agent does not need.',
  });
}
