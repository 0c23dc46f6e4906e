import { BuildError } from '../build-error.ts';
import { normaliseName } from '../python/requirements.ts';
import type { RunSettings } from './anew.ts';

const windows = 'win32';
const mac = 'darwin';

/**
 * Packages that exist for one system only, by the wheels they publish (those for macOS and pywinpty also publish sources, which fail to build
 * elsewhere). Lists that `pip freeze` wrote on such a machine name them without a condition.
 */
const bound: Record<string, string> = {
  pypiwin32: windows,
  pywin32: windows,
  pywinpty: windows,
  'tensorflow-intel': windows,
  'triton-windows': windows,
  'windows-curses': windows,
  'tensorflow-macos': mac,
  'tensorflow-metal': mac,
};
export const systemNames: Record<string, string> = { [windows]: 'Windows', [mac]: 'macOS' };

const systemOf = (name: string) => bound[name] ?? (/^pyobjc(-|$)/.test(name) ? mac : undefined);

const maxLine = 2000;

/** A package that the line of uv's output says is only for other systems: its name, and its system as `sys_platform` names it. */
export function readOtherSystem(line: string): { name: string; system: string } | undefined {
  if (line.length > maxLine) return undefined;
  const [, raw = '', tags] =
    /Wheels are available for `([\w.-]{1,100})` \(v[^)]{1,60}\) on the following platforms?: (.*)$/.exec(line) ??
    /Failed to (?:download and )?build `([\w.-]{1,100})==/.exec(line) ??
    [];
  const name = normaliseName(raw);
  if (tags === undefined) {
    const system = systemOf(name);
    return system === undefined ? undefined : { name, system };
  }
  const all = tags.split(',').map((tag) => tag.replaceAll(/[`\s]/g, ''));
  const system = [
    [/^win/, windows],
    [/^macosx/, mac],
  ].find(([start]) => all.every((tag) => (start as RegExp).test(tag)))?.[1];
  return system === undefined ? undefined : { name, system: system as string };
}

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
        await fill({ ...settings, onLine, ...(leftOut.size === 0 ? {} : { leftOut: overrideLines(leftOut) }) });
        if (leftOut.size > 0) warn(leftOutWarning(leftOut));
        return;
      } catch (error) {
        if (!(error instanceof BuildError) || found === undefined || leftOut.has(found.name) || tries === maxTries) throw error;
        for (const name of names) if (systemOf(name) !== undefined) leftOut.set(name, systemOf(name) ?? '');
        leftOut.set(found.name, found.system);
        await empty();
      }
  };
}

/** The lines of uv's overrides that leave these packages out here. */
const overrideLines = (packages: Map<string, string>): string =>
  [...packages].map(([name, system]) => `${name} ; sys_platform == '${system}'\n`).join('');

function leftOutWarning(packages: Map<string, string>): string {
  const [[name = '', system = ''] = []] = packages;
  const parts = [...new Set(packages.values())].map((one) => {
    const names = [...packages].filter(([, of]) => of === one).map(([each]) => each);
    return `${names.join(', ')} (for ${systemNames[one]} only)`;
  });
  return `Left out: ${parts.join(', ')}. A condition says so in the list: \`${name}; sys_platform == "${system}"\`.`;
}
