import { oneOf, type Search, searchOf } from '../navigation/search.ts';

const parse = searchOf({ tab: oneOf('api-keys', 'alerts', 'model-prices'), action: oneOf('new') });

/** The part of the settings page that its address keeps; the profile is the default and left out. */
export type SettingsSearch = ReturnType<typeof parse>;

export function settingsSearch(given: Search): SettingsSearch {
  const { tab, action } = parse(given);
  return tab ? { tab, ...(action ? { action } : {}) } : {};
}
