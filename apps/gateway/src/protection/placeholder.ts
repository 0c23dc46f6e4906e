import type { PiiType } from '@paddock/pii';

/** The placeholder in the detector's format. */
export const placeholderOf = (type: PiiType): string => `[${type.toUpperCase().replaceAll(' ', '_')}]`;
