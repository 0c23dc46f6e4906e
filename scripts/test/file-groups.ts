import { type Durations, longestFirst } from './durations.ts';
import { isSensitiveToLoad } from './files.ts';

/** Test files that run one after the other in one process. */
export type Group = { files: [string, ...string[]]; seconds: number };

/** A longer file has a process of its own: its cost is its waiting, not its start. */
const MAX_MEMBER_SECONDS = 15;
const MAX_GROUP_SECONDS = 45;
/** Assumed duration of a file that is in no list; files of more than three seconds are in it. */
const UNKNOWN_SECONDS = 2;
/** Folders whose test files may share a process: only these load much of the product in their own process, and leave nothing behind in it. */
const GROUPED = /^(?:packages|apps)\/[^/]+/;

interface GroupPlan {
  durations: Durations;
  isLong: (file: string) => boolean;
}

/** Sorts the groups by duration, longest first. The files that other work would disturb come last, each alone. */
export function groupFiles(files: readonly string[], { durations, isLong }: GroupPlan): Group[] {
  const secondsOf = (file: string) => durations[file] ?? UNKNOWN_SECONDS;
  const alone = (file: string): Group => ({ files: [file], seconds: durations[file] ?? 0 });
  const isMember = (file: string) => GROUPED.test(file) && !isLong(file) && secondsOf(file) <= MAX_MEMBER_SECONDS;
  const ordinary = longestFirst(
    files.filter((file) => !isSensitiveToLoad(file)),
    durations,
  );
  const groups = [...filled(ordinary.filter(isMember).toSorted(), secondsOf), ...ordinary.filter((file) => !isMember(file)).map(alone)];
  return [...groups.toSorted((one, other) => other.seconds - one.seconds), ...files.filter(isSensitiveToLoad).map(alone)];
}

/** Fills groups with neighbouring files of one package. */
function filled(sorted: readonly string[], secondsOf: (file: string) => number): Group[] {
  const groups: Group[] = [];
  for (const file of sorted) {
    const last = groups.at(-1);
    const seconds = secondsOf(file);
    const fits = last && packageOf(last.files[0]) === packageOf(file) && last.seconds + seconds <= MAX_GROUP_SECONDS;
    if (!fits) groups.push({ files: [file], seconds });
    else {
      last.files.push(file);
      last.seconds += seconds;
    }
  }
  return groups;
}

const packageOf = (file: string) => GROUPED.exec(file)?.[0];
