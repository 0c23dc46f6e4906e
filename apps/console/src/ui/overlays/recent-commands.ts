import { readPreference, storePreference } from '../preferences/preference.ts';

const key = 'paddock_recent_commands';
const maxKept = 8;

/** Ids of the commands that were run last in this browser, the newest first. */
export const readRecentCommands = (): string[] => (readPreference(key) ?? '').split('\n').filter(Boolean).slice(0, maxKept);

export const noteCommand = (id: string) =>
  storePreference(key, [id, ...readRecentCommands().filter((each) => each !== id)].slice(0, maxKept).join('\n'));
