import { BuildError } from '../build-error.ts';
import { findSystem, readOtherSystem, systemNames } from '../other-systems.ts';
import type { RunSettings } from './anew.ts';

const maxTries = 10;

interface Attempt {
  fill: (settings: RunSettings) => Promise<void>;
  empty: () => Promise<void>;
  warn: (text: string) => void;
}

/**
 * An install by uv that is repeated without the packages that failed it because they exist for other systems only. `names` are the packages
 * of the list: the known ones among them are left out together. Every later install leaves them out, too.
 */
export function withoutOtherSystems(names: Set<string>, { fill, empty, warn }: Attempt): Attempt['fill'] {
  const leftOut = new Map<string, string>();
  return async (settings) => {
    let found: ReturnType<typeof readOtherSystem>;
    const onLine = (line: string) => {
      found ??= readOtherSystem(line);
      settings.onLine?.(line);
    };
    for (let tries = 0; ; tries++)
      try {
        found = undefined;
        await fill({ ...settings, onLine, ...(leftOut.size === 0 ? {} : { overrides: overrideLines(leftOut) }) });
        if (leftOut.size > 0) warn(leftOutWarning(leftOut));
        return;
      } catch (error) {
        if (!(error instanceof BuildError) || found === undefined || leftOut.has(found.name) || tries === maxTries) throw error;
        for (const name of names) if (findSystem(name) !== undefined) leftOut.set(name, findSystem(name) ?? '');
        leftOut.set(found.name, found.system);
        await empty();
      }
  };
}

/** The lines of uv's overrides that leave these packages out here. */
const overrideLines = (packages: Map<string, string>): string[] =>
  [...packages].map(([name, system]) => `${name} ; sys_platform == '${system}'`);

function leftOutWarning(packages: Map<string, string>): string {
  const [[name = '', system = ''] = []] = packages;
  const parts = [...new Set(packages.values())].map((one) => {
    const names = [...packages].filter(([, of]) => of === one).map(([each]) => each);
    return `${names.join(', ')} (for ${systemNames[one]} only)`;
  });
  return `Left out: ${parts.join(', ')}. A condition says so in the list: \`${name}; sys_platform == "${system}"\`.`;
}
