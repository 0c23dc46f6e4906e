/** A preference stored in this browser; null if none is stored or storage is unavailable. */
export function readPreference(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch (error) {
    console.warn(`The preference ${key} could not be read.`, error);
    return null;
  }
}

/** Stores a preference, or deletes it with null. Without storage the preference lasts until reload. */
export function storePreference(key: string, value: string | null) {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch (error) {
    console.warn(`The preference ${key} could not be kept.`, error);
  }
}
