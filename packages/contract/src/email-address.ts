/**
 * The one form in which e-mail addresses are compared: two spellings mean the same account exactly when their normal forms are equal. Keys of
 * counters and of queries are made of it and of nothing else; it is computed here only, never by the database, whose `lower` depends on its
 * locale. Addresses are stored and mailed as they were typed.
 *
 * Canonical equivalents are one (NFC); compatibility forms, as full-width letters, stay apart, since they may be another mailbox. Each character
 * is lowercased by itself, so that the result never depends on its neighbours: `İ` becomes `i`, and both small sigmas are one.
 */
export function normalAddress(typed: string): string {
  const characters = Array.from(typed.trim().normalize('NFC'), lowerOne);
  return characters.join('').normalize('NFC');
}

export const isSameAddress = (one: string, other: string): boolean => normalAddress(one) === normalAddress(other);

/** The simple mapping of Unicode, which is one character for each: what JavaScript appends to it is a combining mark. */
function lowerOne(character: string): string {
  const [lower = character] = character.toLowerCase();
  return lower === 'ς' ? 'σ' : lower;
}
