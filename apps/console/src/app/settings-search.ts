import { idOf, oneOf, type Search, searchOf } from '../navigation/search.ts';

const parse = searchOf({
  tab: oneOf('billing', 'api-keys', 'alerts', 'model-prices', 'data-protection'),
  action: oneOf('new'),
  project: idOf('prj'),
  // Set on return from the page on which a card was entered.
  payment_method: oneOf('saved'),
});

/** The state of the settings page that is kept in its address; the profile is the default, which the address omits. */
export type SettingsSearch = ReturnType<typeof parse>;

export function settingsSearch(given: Search): SettingsSearch {
  const { tab, action, project, payment_method } = parse(given);
  if (!tab) return {};
  if (tab === 'billing') return { tab, ...(payment_method ? { payment_method } : {}) };
  return { tab, ...(action ? { action } : {}), ...(project && (tab === 'alerts' || tab === 'data-protection') ? { project } : {}) };
}
