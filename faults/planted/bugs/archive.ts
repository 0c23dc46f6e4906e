import type { PlantedBug } from '../bug.ts';

const unpacking = 'packages/builder/src/unpack';

/** Of archives. */
export const archiveBugs: PlantedBug[] = [
  {
    bug: 'a symbolic link in an archive is taken for a file',
    promise: 'archives: files and folders only',
    file: `${unpacking}/entry-rules.ts`,
    from: 'if (type === 0 || type === (directory',
    to: 'if (type === 0 || type === fileType.link || type === (directory',
    caught_by: { file: `${unpacking}/unpack.test.ts`, test: 'an archive with a symbolic link' },
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
    from: 'return size > 1024 ** 2 && size > compressed * limits.ratio;',
    to: 'return size > 1024 ** 4 && size > compressed * limits.ratio;',
    caught_by: { file: `${unpacking}/unpack.test.ts`, test: 'an archive with a bomb of zeros' },
  },
];
