/** A choice of this person in this browser; null when none was made or storage is closed to us. */
export function readPreference(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch (error) {
    console.warn(`The preference ${key} could not be read.`, error);
    return null;
  }
}

/** Keeps the choice, or forgets it with null. Where storage is closed the choice lasts until reload. */
export function storePreference(key: string, value: string | null) {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch (error) {
    console.warn(`The preference ${key} could not be kept.`, error);
  }
}
