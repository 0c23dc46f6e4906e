import { oneOf, searchOf } from '../../app/search.ts';

/** What of the page of API keys lives in its address. */
export const apiKeysSearch = searchOf({ action: oneOf('new') });
export type ApiKeysSearch = ReturnType<typeof apiKeysSearch>;
