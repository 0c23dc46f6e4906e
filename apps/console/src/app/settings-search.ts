import { idOf, oneOf, type Search, searchOf } from '../navigation/search.ts';

const parse = searchOf({
  tab: oneOf('billing', 'api-keys', 'alerts', 'model-prices', 'data-protection'),
  action: oneOf('new'),
  project: idOf('prj'),
});

/** The part of the settings page that its address keeps; the profile is the default and left out. */
export type SettingsSearch = ReturnType<typeof parse>;

export function settingsSearch(given: Search): SettingsSearch {
  const { tab, action, project } = parse(given);
  if (!tab) return {};
  return { tab, ...(action ? { action } : {}), ...(project && (tab === 'alerts' || tab === 'data-protection') ? { project } : {}) };
}
