import type { InstallPlan } from '../plan.ts';

/** At the top of the source while pnpm installs a workspace. */
export const MEMBERS_FILE = '.paddock-pnpmfile.cjs';

/**
 * A hook that names the members of a workspace by `workspace:`. pnpm asks the registry for a member that a package names by a plain range, even where
 * it takes the archive's own in the end.
 */
export const membersHook = (members: readonly string[]): string => `const members = new Set(${JSON.stringify(members)});
const ofWorkspace = (wanted) => {
  for (const name of Object.keys(wanted ?? {}))
    if (members.has(name) && !/^(workspace|file|link|portal):/.test(wanted[name])) wanted[name] = 'workspace:*';
};
module.exports = {
  hooks: {
    readPackage(pkg) {
      for (const kind of ['dependencies', 'devDependencies', 'optionalDependencies']) ofWorkspace(pkg[kind]);
      return pkg;
    },
  },
};
`;

/** The words that make pnpm read the hook. A lock file that fits needs none: it says where each package comes from. */
export const membersWords = ({ manager, members = [] }: InstallPlan): string[] =>
  manager === 'pnpm' && members.length > 0 ? [`--config.global-pnpmfile=/app/${MEMBERS_FILE}`] : [];
