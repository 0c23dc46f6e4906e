/**
 * Kinds of `kinds.ts` that the short form leaves out. Each is refused for the same reason as another kind of the same item of list A, and
 * unpack.test.ts has most of them without a platform.
 */
export const furtherCases: readonly string[] = [
  'a/../../evil',
  'C:\\x',
  '\\\\host\\x',
  'the same as one folder entry and one link',
  'a block device',
  'a character device',
  'a socket',
  'a path 2,000 deep',
  '4 GB stated',
  'zip64: an entry of 2^64 - 1 packed bytes',
  'zip64: 20,000 entries stated, one there',
  'zip64: a directory beyond the file',
  'zip64: a record that is not one',
  'NFC and NFD of é.py',
  'another method in the local header',
  'another size in the local header',
  'an end record in the comment',
  'a shell script put before',
  'damaged data',
  'a terminal sequence in a name',
  'a right-to-left override in a name',
];
