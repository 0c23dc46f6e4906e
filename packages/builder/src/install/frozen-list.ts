import { BuildError } from '../build-error.ts';
import type { RunSettings } from './anew.ts';

const maxLineLength = 2000;

interface Attempt {
  install: (settings: RunSettings) => Promise<void>;
  empty: () => Promise<void>;
  warn: (text: string) => void;
  say: (text: string) => void;
}

/**
 * An install by uv of a frozen list. Its packages were installed one after the other, so some may exclude each other by what they declare,
 * although they ran together. Then each is installed in its listed version.
 */
export function asFrozen(lines: string[], { install, empty, warn, say }: Attempt): Attempt['install'] {
  return async (settings) => {
    let [isConflict, isMissing] = [false, false];
    const onLine = (line: string) => {
      isConflict ||= line.includes('No solution found when resolving');
      isMissing ||= /\bthere is no version of\b|\bwas not found in\b/.test(line.slice(0, maxLineLength));
      settings.onLine?.(line);
    };
    let first: BuildError;
    try {
      return await install({ ...settings, onLine });
    } catch (error) {
      if (!(error instanceof BuildError) || !isConflict || isMissing) throw error;
      first = error;
    }
    say(`${first.message} Installing exactly the listed versions …`);
    await empty();
    const leftOut = new Set((settings.overrides ?? []).map(nameIn));
    const pinned = lines.filter((line) => !leftOut.has(nameIn(line)));
    try {
      await install({ ...settings, overrides: [...(settings.overrides ?? []), ...pinned] });
    } catch (again) {
      if (!(again instanceof BuildError) || again.code !== 'install_failed') throw again;
      throw first;
    }
    warn(`The listed versions exclude each other by what they declare. Each was installed as it is listed. ${first.message}`);
  };
}

const nameIn = (line: string) =>
  /^[\w.-]{1,100}/
    .exec(line)?.[0]
    .toLowerCase()
    .replaceAll(/[-_.]+/g, '-');
