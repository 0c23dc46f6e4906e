import type { InstallPlan } from '../plan.ts';

/** Placed at the root of the source while pnpm installs a workspace. */
export const MEMBERS_FILE = '.paddock-pnpmfile.cjs';

/**
 * A hook that rewrites dependencies on workspace members to `workspace:`. Without it pnpm queries the registry for a member that a package
 * names by a plain range, even if it uses the archive's own member in the end.
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

/** The options that make pnpm read the hook. A lock file that matches does not need the hook: it names the source of each package. */
export const membersWords = ({ manager, members = [] }: InstallPlan): string[] =>
  manager === 'pnpm' && members.length > 0 ? [`--config.global-pnpmfile=/app/${MEMBERS_FILE}`] : [];
