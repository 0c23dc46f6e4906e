/**
 * The form in which e-mail addresses are compared: two spellings mean the same account exactly when their normal forms are equal. Keys of
 * counters and of queries use only this form. It is computed only here, never by the database, whose `lower` depends on its locale.
 * Addresses are stored and mailed as they were typed.
 *
 * Canonical equivalents are equal (NFC). Compatibility forms, such as full-width letters, are different, since they may be another mailbox.
 * Each character is lowercased separately, so that the result never depends on its neighbours: `İ` becomes `i`, and both small sigmas are equal.
 */
export function normalAddress(typed: string): string {
  const characters = Array.from(typed.trim().normalize('NFC'), lowerOne);
  return characters.join('').normalize('NFC');
}

export const isSameAddress = (one: string, other: string): boolean => normalAddress(one) === normalAddress(other);

/** The simple case mapping of Unicode, one character for each. JavaScript may append a combining mark, which is dropped. */
function lowerOne(character: string): string {
  const [lower = character] = character.toLowerCase();
  return lower === 'ς' ? 'σ' : lower;
}
