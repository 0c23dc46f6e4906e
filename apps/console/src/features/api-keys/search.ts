import { oneOf, searchOf } from '../../navigation/search.ts';

/** What of the page of API keys lives in its address. */
export const apiKeysSearch = searchOf({ action: oneOf('new') });
export type ApiKeysSearch = ReturnType<typeof apiKeysSearch>;
