/** The detected kinds of personal data, with the names that users see. */
export const piiTypes = ['Email', 'Phone', 'SSN', 'Credit Card', 'Address', 'Name', 'IP Address', 'Date of Birth'] as const;
export type PiiType = (typeof piiTypes)[number];

/** The treatment of a found value. `mask` replaces it by its type, `tokenise` by a word that is the same for the same value. */
export const piiActions = ['mask', 'tokenise', 'block', 'allow'] as const;
export type PiiAction = (typeof piiActions)[number];
