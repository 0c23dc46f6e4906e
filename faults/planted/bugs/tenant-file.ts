import type { PlantedBug } from '../bug.ts';

export const tenantFileBugs: PlantedBug[] = [
  {
    bug: 'links on the way to what a build left are followed',
    promise: 'what tenants made is opened below its folder only',
    file: 'packages/safe-files/src/reach.ts',
    from: 'const HOLD = O_PATH | constants.O_NOFOLLOW;',
    to: 'const HOLD = O_PATH;',
    caught_by: { file: 'packages/safe-files/src/reading.test.ts', test: 'a FIFO, a socket, a folder and links' },
  },
  {
    bug: 'an archive’s .npmrc may say anything to npm beside the registry login',
    promise: 'settings of archives by a list of what they may say',
    file: 'packages/builder/src/install/settings/restrict.ts',
    from: '(npmNames.has(plain) || npmLogin.test(name)) && isLiteral(value)',
    to: "plain !== '' && value !== ''",
    caught_by: { file: 'packages/builder/src/registry/hostile-settings.test.ts', test: 'an archive’s .npmrc takes no variable' },
  },
];
