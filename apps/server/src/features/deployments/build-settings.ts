/** The folder and the start command that people give beside an archive. */
export interface BuildSettings {
  root?: string;
  start?: string;
  /** They are those that the project keeps, not given with this upload. */
  of_project?: true;
}

/** What the project keeps for its uploads; null for nothing. */
export type KeptSettings = Omit<BuildSettings, 'of_project'> | null;

/** Settings as a call gives them. */
export interface GivenSettings {
  root?: string | undefined;
  start?: string | undefined;
  /** Later uploads to the project use the same. */
  keep?: boolean | undefined;
}

interface Decided {
  settings: BuildSettings;
  /** Undefined: the project keeps what it kept before. */
  keeps: KeptSettings | undefined;
}

/** An upload uses what it gives, else what the project keeps. One that is kept and gives nothing makes the project forget. */
export function settingsOfUpload({ root, start, keep = false }: GivenSettings, kept: KeptSettings): Decided {
  const given = filled({ root, start });
  if (keep) return { settings: given, keeps: orNull(given) };
  const isGiven = orNull(given) !== null;
  return { settings: isGiven || kept === null ? given : { ...kept, of_project: true }, keeps: undefined };
}

/** A redeploy has the settings of its source. A folder given without a start command drops the old command, which was for another folder. */
export function settingsOfRedeploy({ root, start, keep }: GivenSettings, source: BuildSettings): Decided {
  const isGiven = root !== undefined || start !== undefined;
  const settings = isGiven ? filled({ root: root ?? source.root, start }) : source;
  return { settings, keeps: (keep ?? isGiven) ? orNull(filled(settings)) : undefined };
}

const orNull = (settings: BuildSettings): KeptSettings => (Object.keys(settings).length === 0 ? null : settings);
const filled = ({ root, start }: GivenSettings) => ({ ...(root ? { root } : {}), ...(start ? { start } : {}) });
