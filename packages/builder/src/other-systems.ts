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

/** The one system that a package exists for, as `sys_platform` names it; undefined if it is not known as such a package. */
export function findSystem(name: string): string | undefined {
  if (Object.hasOwn(bound, name)) return bound[name];
  return /^pyobjc(-|$)/.test(name) ? mac : undefined;
}

const maxLine = 2000;

/** A package that the line of uv's output says is only for other systems: its name, and its system as `sys_platform` names it. */
export function readOtherSystem(line: string): { name: string; system: string } | undefined {
  if (line.length > maxLine) return undefined;
  const [before = '', tags] = line.split(/ on the following platforms?: /, 2);
  const raw = (tags === undefined ? failedBuild : hasWheels).exec(before)?.[1] ?? '';
  const name = raw.toLowerCase().replace(/[-_.]+/g, '-');
  const system = tags === undefined ? findSystem(name) : readTags(tags);
  return name === '' || system === undefined ? undefined : { name, system };
}

const hasWheels = /Wheels are available for `([\w.-]{1,100})` /;
/** A wheel for another Python, too, says nothing of the system. */
const failedBuild =
  /(?:Failed to (?:download and )?build `|\b[Bb]ecause )([\w.-]{1,100})==(?:\S{1,60} has no wheels with a matching Python|\S{1,60}`)/;

/** The one system of all platform tags. */
function readTags(text: string): string | undefined {
  const tags = text.split(',').map((tag) => tag.replaceAll(/[`\s]/g, ''));
  if (tags.every((tag) => tag.startsWith('win'))) return windows;
  return tags.every((tag) => tag.startsWith('macosx')) ? mac : undefined;
}
