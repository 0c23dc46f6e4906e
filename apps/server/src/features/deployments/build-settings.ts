import type { Choice } from '@paddock/builder';
import { maxAddedCharacters, readAddedPackages } from '@paddock/contract/added-packages';

/** The folder, the start command and the packages that people give beside an archive. */
export interface BuildSettings {
  root?: string;
  start?: string;
  /** Packages that its dependencies lack, parted by blanks. */
  packages?: string;
  /** They are those that the project keeps, not given with this upload. */
  of_project?: true;
}

/** What the project keeps for its uploads; null for nothing. */
export type KeptSettings = Omit<BuildSettings, 'of_project'> | null;

/** Settings as a call gives them. */
export interface GivenSettings {
  root?: string | undefined;
  start?: string | undefined;
  packages?: string | undefined;
  /** Later uploads to the project use the same. */
  keep?: boolean | undefined;
}

interface Decided {
  settings: BuildSettings;
  /** Undefined: the project keeps what it kept before. */
  keeps: KeptSettings | undefined;
}

/** An upload uses what it gives, else what the project keeps. One that is kept and gives nothing makes the project forget. */
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

/** The settings as the builder takes them. */
export const forPlan = ({ packages = '', ...rest }: BuildSettings) => ({ ...rest, packages: readAddedPackages(packages).packages });

/** Choices that add packages, with those that the deployment had already. Those whose names are none, or too many, could not be given. */
export const besidesOwn = (choices: Choice[], { packages: own = '' }: BuildSettings): Choice[] =>
  choices.flatMap((choice) => {
    if (choice.packages === undefined) return choice;
    const packages = readAddedPackages(`${own} ${choice.packages}`).packages.join(' ');
    return packages === '' || packages.length > maxAddedCharacters ? [] : { ...choice, packages };
  });
