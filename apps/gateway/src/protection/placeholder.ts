import type { PiiType } from '@paddock/pii';

/** As the detector writes it. */
export const placeholderOf = (type: PiiType): string => `[${type.toUpperCase().replaceAll(' ', '_')}]`;
