import { isAskable } from './mention.ts';

/** Constants with the name of a variable: `KEY_NAME = "OPENAI_API_KEY"`, also in a class or an object. */
export type Constants = Map<string, string>;

const inPython =
  /^[ \t]{0,20}([A-Z][A-Z0-9_]{1,63})(?:\s{0,3}:\s{0,3}[\w.[\]]{1,60})?\s{0,3}=\s{0,3}["']([A-Z][A-Z0-9_]{1,63})["']\s{0,20}(?:#.*)?\r?$/gm;
const inNode = /\b([A-Z][A-Z0-9_]{1,63})\s{0,3}[=:]\s{0,3}["'`]([A-Z][A-Z0-9_]{1,63})["'`]/g;
const maxConstants = 1000;

/** Adds the constants of a file. One that has several values in the archive has the first. */
export function addConstants(source: string, isPython: boolean, constants: Constants): void {
  for (const [, name = '', value = ''] of source.matchAll(isPython ? inPython : inNode))
    if (value.includes('_') && isAskable(value) && !constants.has(name) && constants.size < maxConstants) constants.set(name, value);
}
