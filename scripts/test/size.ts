/**
 * The two sizes of a promise. `npm test` holds each promise at the smallest size that can fail; the long size repeats it with more rounds, seeds, widths or
 * kills: in `npm run test:long`, and with `npm test -- --since` where what a test stands beside was changed. A promise is never held in the long size alone.
 */
export const LONG_SIZE = { PADDOCK_TEST_SIZE: 'long' } as const;

export const isLongSize = (): boolean => process.env.PADDOCK_TEST_SIZE === LONG_SIZE.PADDOCK_TEST_SIZE;

export const sized = <T>({ short, long }: { short: T; long: T }): T => (isLongSize() ? long : short);
