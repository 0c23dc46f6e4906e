import type { PlantedBug } from '../bug.ts';

const unpacking = 'packages/builder/src/unpack';

/** Bugs in archives. */
export const archiveBugs: PlantedBug[] = [
  {
    bug: 'packages of a lock file are placed although package.json overrides versions',
    promise: 'what is placed without npm is what npm would place',
    file: 'packages/builder/src/npm/placement.ts',
    from: 'if (project.overrides !== undefined || ',
    to: 'if (',
    caught_by: { file: 'packages/builder/src/npm/placement.test.ts', test: 'npm has to install: overrides' },
  },
  {
    bug: 'a .gitignore of a package keeps its name',
    promise: 'what is placed without npm is what npm would place',
    file: 'packages/builder/src/launchers/place_packages.mjs',
    from: "place.replace(/\\.gitignore$/, '.npmignore')",
    to: 'place',
    caught_by: {
      file: 'packages/builder/src/install/place-packages.test.ts',
      test: 'the packages of a lock file are placed as npm places them',
    },
  },
  {
    bug: 'a symbolic link in an archive is taken for a file',
    promise: 'archives: files and folders only',
    file: `${unpacking}/write-entries.ts`,
    from: 'if (entry.link) targets.set',
    to: 'if (entry.link && entry.directory) targets.set',
    caught_by: { file: `${unpacking}/links.test.ts`, test: 'links to files and folders of the archive come out as copies' },
  },
  {
    bug: 'a symbolic link may lead out of the archive',
    promise: 'archives: nothing is read from outside of them',
    file: 'packages/contract/src/archive-paths.ts',
    from: "target.startsWith('/') || ",
    to: '',
    caught_by: { file: `${unpacking}/links.test.ts`, test: 'a link to "/app/main.py" is refused' },
  },
  {
    bug: 'a name may point out of the folder',
    promise: 'archives: nothing appears outside of the destination',
    file: `${unpacking}/entry-rules.ts`,
    from: "if (segments.includes('..')) throw",
    to: "if (segments.includes('...')) throw",
    caught_by: { file: `${unpacking}/unpack.test.ts`, test: 'an entry named "../evil"' },
  },
  {
    bug: 'a bomb of zeros is unpacked',
    promise: 'archives: at most 200 times their size',
    file: `${unpacking}/zip-directory.ts`,
    from: 'return size > limits.ratioFromBytes && size > compressed * limits.ratio;',
    to: 'return size > 1024 ** 4 && size > compressed * limits.ratio;',
    caught_by: { file: `${unpacking}/unpack.test.ts`, test: 'an archive with a bomb of zeros' },
  },
];
