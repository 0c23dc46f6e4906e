/** The folder and the start command that people give beside an archive. */
export interface BuildSettings {
  root?: string;
  start?: string;
  /** They are those that the project keeps, not given with this upload. */
  of_project?: true;
}

/** What the project keeps for its uploads; null for nothing. */
export type KeptSettings = Omit<BuildSettings, 'of_project'> | null;

/** Settings as a call gives them: an empty text is given, an absent one is not. */
export interface GivenSettings {
  root?: string | undefined;
  start?: string | undefined;
}

interface Decided {
  settings: BuildSettings;
  /** Undefined: the project keeps what it kept before. */
  keeps: KeptSettings | undefined;
}

/** An upload uses what it gives, else what the project keeps. A kept value that is given empty is forgotten. */
export function settingsOfUpload(given: GivenSettings, kept: KeptSettings): Decided {
  const left = afterForgetting(given, kept);
  const keeps = left === kept ? undefined : left;
  if (given.root || given.start) return { settings: filled(given), keeps };
  return { settings: left === null ? {} : { ...left, of_project: true }, keeps };
}

/** A redeploy keeps to the settings of its source. A folder given without a start command drops the old command, which was for another folder. */
export function settingsOfRedeploy({ root, start, keep }: GivenSettings & { keep?: boolean | undefined }, source: BuildSettings): Decided {
  const isGiven = root !== undefined || start !== undefined;
  const settings = isGiven ? filled({ root: root ?? source.root, start }) : source;
  return { settings, keeps: (keep ?? isGiven) ? keptOf(settings) : undefined };
}

function afterForgetting(given: GivenSettings, kept: KeptSettings): KeptSettings {
  const isOtherFolder = given.root === '' && kept?.root !== undefined;
  const forgetsStart = kept?.start !== undefined && (given.start === '' || isOtherFolder);
  if (!isOtherFolder && !forgetsStart) return kept;
  return keptOf({ root: given.root === '' ? undefined : kept.root, start: forgetsStart ? undefined : kept.start });
}

function keptOf(settings: GivenSettings): KeptSettings {
  const kept = filled(settings);
  return kept.root === undefined && kept.start === undefined ? null : kept;
}

const filled = ({ root, start }: GivenSettings) => ({ ...(root ? { root } : {}), ...(start ? { start } : {}) });
