import type { Choice } from '@paddock/builder';
import { maxAddedCharacters, readAddedPackages } from '@paddock/contract/added-packages';

/** Folder, start command and packages that users set for an archive. */
export interface BuildSettings {
  root?: string;
  start?: string;
  /** Packages missing from its dependencies, separated by spaces. */
  packages?: string;
  /** The settings are the project's stored ones, not given with this upload. */
  of_project?: true;
}

/** Settings that the project stores for its uploads; null for none. */
export type KeptSettings = Omit<BuildSettings, 'of_project'> | null;

/** Settings as given in a request. */
export interface GivenSettings {
  root?: string | undefined;
  start?: string | undefined;
  packages?: string | undefined;
  /** Store the settings for later uploads to the project. */
  keep?: boolean | undefined;
}

interface Decided {
  settings: BuildSettings;
  /** Undefined: the project's stored settings do not change. */
  keeps: KeptSettings | undefined;
}

/** An upload uses its own settings, else the project's stored ones. With `keep` and no settings, the project's stored ones are deleted. */
export function settingsOfUpload({ keep = false, ...rest }: GivenSettings, kept: KeptSettings): Decided {
  const given = filled(rest);
  if (keep) return { settings: given, keeps: orNull(given) };
  const isGiven = orNull(given) !== null;
  return { settings: isGiven || kept === null ? given : { ...kept, of_project: true }, keeps: undefined };
}

/** A redeploy has the settings of its source. A folder given alone drops the old command and packages, which were for another folder. */
export function settingsOfRedeploy({ root, start, packages, keep }: GivenSettings, source: BuildSettings): Decided {
  const isGiven = root !== undefined || start !== undefined || packages !== undefined;
  const { start: oldStart, packages: oldPackages } = root === undefined ? source : {};
  const settings = isGiven ? filled({ root: root ?? source.root, start: start ?? oldStart, packages: packages ?? oldPackages }) : source;
  return { settings, keeps: (keep ?? isGiven) ? orNull(filled(settings)) : undefined };
}

const orNull = (settings: BuildSettings): KeptSettings => (Object.keys(settings).length === 0 ? null : settings);
const filled = ({ root, start, packages }: GivenSettings) => ({
  ...(root ? { root } : {}),
  ...(start ? { start } : {}),
  ...(packages ? { packages } : {}),
});

/** The settings in the builder's form. */
export const forPlan = ({ packages = '', ...rest }: BuildSettings) => ({ ...rest, packages: readAddedPackages(packages).packages });

/** Adds the deployment's own packages to choices that add packages. Choices with invalid or too many names are dropped. */
export const besidesOwn = (choices: Choice[], { packages: own = '' }: BuildSettings): Choice[] =>
  choices.flatMap((choice) => {
    if (choice.packages === undefined) return choice;
    const packages = readAddedPackages(`${own} ${choice.packages}`).packages.join(' ');
    return packages === '' || packages.length > maxAddedCharacters ? [] : { ...choice, packages };
  });
