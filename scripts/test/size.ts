/**
 * The two sizes of a promise. `npm test` checks each promise at the smallest size that can fail. The long size repeats it with more rounds,
 * seeds, widths or kills: in `npm run test:long`, and in `npm test -- --since` if a file beside the test was changed. No promise is checked
 * in the long size alone.
 */
export const LONG_SIZE = { PADDOCK_TEST_SIZE: 'long' } as const;

export const isLongSize = (): boolean => process.env.PADDOCK_TEST_SIZE === LONG_SIZE.PADDOCK_TEST_SIZE;

export const sized = <T>({ short, long }: { short: T; long: T }): T => (isLongSize() ? long : short);
