import type { PiiType } from '@paddock/pii';

/** The placeholder that the detector writes for a type. */
export const placeholderOf = (type: PiiType): string => `[${type.toUpperCase().replaceAll(' ', '_')}]`;
