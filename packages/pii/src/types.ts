/** The kinds of personal data that are looked for, as people see their names. */
export const piiTypes = ['Email', 'Phone', 'SSN', 'Credit Card', 'Address', 'Name', 'IP Address', 'Date of Birth'] as const;
export type PiiType = (typeof piiTypes)[number];

/** What is done with a value that was found. `mask` writes the type in its place, `tokenise` a word that is the same for the same value. */
export const piiActions = ['mask', 'tokenise', 'block', 'allow'] as const;
export type PiiAction = (typeof piiActions)[number];
