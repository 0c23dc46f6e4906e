/** What of the page of API keys lives in its address. */
export type ApiKeysSearch = { action?: 'new' };

export const apiKeysSearch = (given: Record<string, unknown>): ApiKeysSearch => (given.action === 'new' ? { action: 'new' } : {});
