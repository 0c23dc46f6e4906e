/** What of the settings lives in their address; the profile is the default and left out. */
export type SettingsSearch = { tab?: 'api-keys'; action?: 'new' };

export const settingsSearch = ({ tab, action }: Record<string, unknown>): SettingsSearch =>
  tab === 'api-keys' ? { tab, ...(action === 'new' ? { action } : {}) } : {};
